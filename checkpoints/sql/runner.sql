-- Statements about who runs a thread.

-- name: take
select pg_try_advisory_lock(hashtextextended(%(thread_id)s, 0)) as taken

-- name: give
select pg_advisory_unlock(hashtextextended(%(thread_id)s, 0))

-- name: wait_for
select pg_advisory_lock(hashtextextended(%(thread_id)s, 0))

-- name: end_silent
-- All sessions of its process: one of them may have been suspended in a transaction, with locks.
select pg_terminate_backend(a.pid) as ended
from runner r
join pg_stat_activity a on a.application_name = r.process
join pg_locks l on l.locktype = 'advisory' and l.objsubid = 1 and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and (l.classid::bigint << 32) + l.objid::bigint = hashtextextended(r.thread_id, 0)
join pg_stat_activity holder on holder.pid = l.pid and holder.application_name = r.process
where r.thread_id = %(thread_id)s and r.lease_until < clock_timestamp()

-- name: begin_run
insert into runner (thread_id, tenant_id, user_id, epoch, process, lease_until)
values (%(thread_id)s, %(tenant_id)s, %(user_id)s, 1, %(process)s, clock_timestamp() + %(lease)s)
on conflict (thread_id) do update
set epoch = runner.epoch + 1, process = excluded.process, lease_until = excluded.lease_until,
    tries = case when %(is_news)s then 0 else runner.tries end
returning epoch

-- name: renew
update runner r set lease_until = clock_timestamp() + %(lease)s
from unnest(%(threads)s::text[], %(epochs)s::bigint[]) as held (thread_id, epoch)
where r.thread_id = held.thread_id and r.epoch = held.epoch

-- name: end_run
-- The tries count on while something stays due: it waits for an operator, or for a service.
update runner r
set lease_until = null, tries = case
    when %(ending)s = 'failed' then r.tries
    when %(ending)s = 'well' and not exists (
        select from open_step s
        where s.thread_id = r.thread_id and s.due_at <= clock_timestamp())
    then 0
    else least(r.tries, %(most)s - 1) end
where r.thread_id = %(thread_id)s and r.epoch = %(epoch)s

-- name: epoch
select epoch from runner where thread_id = %(thread_id)s

-- name: fence
select refuse_overtaken_runner(%(thread_id)s, %(epoch)s)
