-- Statements about who runs a thread.

-- name: take
-- Lock and lease in one statement: there is no instant between them at which a process that is
-- suspended would hold a thread for ever.
with taken as materialized (
    select pg_try_advisory_lock(hashtextextended(%(thread_id)s, 0)) as taken
), leased as (
    insert into thread_lease (tenant_id, thread_id, process, until)
    select %(tenant_id)s, %(thread_id)s, %(process)s, daybook_now() + %(lease)s
    from taken where taken
    on conflict (tenant_id, thread_id) do update
    set process = excluded.process, until = excluded.until
    -- Who holds it behind a pooler has no lock, and keeps it until the lease is over.
    where thread_lease.until < daybook_now()
       or not starts_with(thread_lease.process, 'daybook-leased-')
    returning thread_id
)
select taken, exists (select from leased) as leased, coalesce(
    (select epoch from runner where thread_id = %(thread_id)s), 0) as epoch,
    -- A lock without a lease would be held for ever too: it is given back in here.
    case when taken and not exists (select from leased)
        then pg_advisory_unlock(hashtextextended(%(thread_id)s, 0)) end as given
from taken

-- name: give
with given as (
    delete from thread_lease
    where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s and process = %(process)s
)
select pg_advisory_unlock(hashtextextended(%(thread_id)s, 0))

-- name: wait_for
with taken as materialized (
    select pg_advisory_lock(hashtextextended(%(thread_id)s, 0))
), leased as (
    insert into thread_lease (tenant_id, thread_id, process, until)
    select %(tenant_id)s, %(thread_id)s, %(process)s, daybook_now() + %(lease)s from taken
    on conflict (tenant_id, thread_id) do update
    set process = excluded.process, until = excluded.until
    where thread_lease.until < daybook_now()
       or not starts_with(thread_lease.process, 'daybook-leased-')
    returning thread_id
)
select exists (select from leased) as leased,
    coalesce((select epoch from runner where thread_id = %(thread_id)s), 0) as epoch,
    case when not exists (select from leased)
        then pg_advisory_unlock(hashtextextended(%(thread_id)s, 0)) end as given
from taken

-- name: take_lease
-- By the row alone: a lease that is over is anybody's.
with leased as (
    insert into thread_lease (tenant_id, thread_id, process, until)
    values (%(tenant_id)s, %(thread_id)s, %(process)s, daybook_now() + %(lease)s)
    on conflict (tenant_id, thread_id) do update
    set process = excluded.process, until = excluded.until
    where thread_lease.until < daybook_now()
    returning thread_id
)
select coalesce((select epoch from runner where thread_id = %(thread_id)s), 0) as epoch
from leased

-- name: give_lease
delete from thread_lease
where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s and process = %(process)s
returning thread_id

-- name: end_silent
-- All sessions of its process: one of them may have been suspended in a transaction, with locks.
select pg_terminate_backend(a.pid) as ended
from thread_lease t
join pg_stat_activity a on a.application_name = t.process
join pg_locks l on l.locktype = 'advisory' and l.objsubid = 1 and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and (l.classid::bigint << 32) + l.objid::bigint = hashtextextended(t.thread_id, 0)
join pg_stat_activity holder on holder.pid = l.pid and holder.application_name = t.process
where t.tenant_id = %(tenant_id)s and t.thread_id = %(thread_id)s and t.until < daybook_now()

-- name: is_overtaken
-- Somebody else holds it, or has run it since.
select exists (
        select from thread_lease
        where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s and process <> %(process)s)
    or exists (
        select from runner
        where thread_id = %(thread_id)s and epoch > %(epoch)s
          and process is distinct from %(process)s)
    as is_overtaken

-- name: renew
with held as (
    update thread_lease set until = daybook_now() + %(lease)s
    where tenant_id = %(tenant_id)s and thread_id = any(%(threads)s) and process = %(process)s
    returning thread_id
)
update runner r set lease_until = daybook_now() + %(lease)s
from held
where r.thread_id = held.thread_id and r.process = %(process)s and r.lease_until is not null
returning r.thread_id

-- name: begin_run
-- Only for whoever still holds the thread: a process that was suspended and wakes up does not. The
-- lease stays locked until the epoch is written, so that nobody takes the thread in between.
with held as materialized (
    select from thread_lease
    where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s and process = %(process)s
    for share
)
insert into runner (thread_id, tenant_id, user_id, epoch, process, lease_until)
select %(thread_id)s, %(tenant_id)s, %(user_id)s, 1, %(process)s, daybook_now() + %(lease)s
from held
on conflict (thread_id) do update
set epoch = runner.epoch + 1, process = excluded.process, lease_until = excluded.lease_until,
    tries = case when %(is_news)s then 0 else runner.tries end
returning epoch

-- name: end_run
-- The tries count on while something stays due: it waits for an operator, or for a service.
update runner r
set lease_until = null, tries = case
    when %(ending)s = 'failed' then r.tries
    when %(ending)s = 'well' and not exists (
        select from open_step s
        where s.thread_id = r.thread_id and s.due_at <= daybook_now())
    then 0
    else least(r.tries, %(most)s - 1) end
where r.thread_id = %(thread_id)s and r.epoch = %(epoch)s

-- name: fence
select refuse_overtaken_runner(%(thread_id)s, %(epoch)s)
