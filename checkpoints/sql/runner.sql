-- Statements about who runs a thread.

-- name: take
with before as materialized (
    select process from thread_lease
    where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s and not has_ended(process)
), taken as (
    insert into thread_lease (tenant_id, thread_id, process, until)
    values (%(tenant_id)s, %(thread_id)s, %(process)s, daybook_now() + %(lease)s)
    on conflict (tenant_id, thread_id) do update
    set process = excluded.process, until = excluded.until
    where thread_lease.until < daybook_now() or has_ended(thread_lease.process)
    returning thread_id
)
select coalesce((select epoch from runner where thread_id = %(thread_id)s), 0) as epoch,
    (select process from before) as before
from taken

-- name: give
delete from thread_lease
where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s and process = %(process)s
returning thread_id

-- name: silent
select process from thread_lease
where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s and until < daybook_now()

-- name: end_sessions
select pg_terminate_backend(pid) as ended from pg_stat_activity where application_name = %(process)s

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
