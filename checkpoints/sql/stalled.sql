-- Statements about threads that nobody finishes, and about jobs whose worker is gone. Heartbeats are
-- procrastinate's, which dates them by the server's clock.

-- name: claim
-- What stands still, and why. A claim counts a try and says when the next one may be: at once for
-- the first tries, so that deaths cost no time, then later and later. The number after the last try
-- is claimed once more, for its thread to be told of as given up. The clock is read once, in a query
-- of its own: compared with the function itself, no index could be used.
with held as materialized (
    select (classid::bigint << 32) + objid::bigint as key from pg_locks
    where locktype = 'advisory' and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database())
),
standing as (
    select r.thread_id, 1 as rank, case when h.key is null then 'died' else 'silent' end as why
    from runner r left join held h on h.key = hashtextextended(r.thread_id, 0)
    where r.lease_until is not null and (h.key is null or r.lease_until < (select daybook_now()))
    union all
    select s.thread_id, 2, 'due: ' || string_agg(distinct concat_ws(' ', s.tool, s.state), ', ')
    from open_step s
    where s.due_at <= (select daybook_now())
    group by s.thread_id
    union all
    select t.thread_id, 3, 'cut off'
    from thread t
    where t.status = 'active' and t.last_activity < (select daybook_now()) - %(idle)s
      -- Somebody comes for it then anyway.
      and not exists (
          select from open_step s
          where s.thread_id = t.thread_id and s.due_at > (select daybook_now()))
),
free as materialized (
    -- Not what a transaction holds: a runner that is suspended in one would keep all others waiting.
    select thread_id from runner where thread_id in (select thread_id from standing)
    for update skip locked
),
found as (
    select distinct on (thread_id)
        thread_id, t.tenant_id, t.user_id, s.why, r.epoch, r.lease_until, r.tries
    from standing s join thread t using (thread_id) left join runner r using (thread_id)
    where t.status <> 'closed' and t.domain = %(domain)s
      and (t.world is null or t.world = coalesce(%(world)s::text, t.world))
      and (r.thread_id is null or r.thread_id in (select thread_id from free))
      and (r.lease_until is null or s.rank = 1)
      and coalesce(
          r.tries = 0 or r.retry_at <= daybook_now() and r.tries <= %(most)s, true)
      and not exists (
          select from procrastinate_jobs j
          where j.lock = thread_id and j.status in ('todo', 'doing'))
    order by thread_id, s.rank
    limit %(at_once)s
),
claimed as (
    insert into runner (thread_id, tenant_id, user_id, epoch, lease_until, tries)
    select thread_id, tenant_id, user_id, coalesce(epoch, 0), lease_until, coalesce(tries, 0) + 1
    from found
    on conflict (thread_id) do update
    set tries = excluded.tries,
        retry_at = daybook_now() + case when runner.tries < %(quick)s then interval '0'
            else least(interval '10 min', interval '0.5 s' * 2 ^ (runner.tries - %(quick)s)
                -- Apart from what was claimed together with it, which it may have taken down; by no
                -- chance, so that a day can be lived once more.
                * (0.5 + (hashtextextended(runner.thread_id, runner.tries) & 1023) / 1024.0)) end
    -- Not what somebody has begun to run, or has claimed, since this statement began to look.
    where (runner.epoch, runner.lease_until, runner.tries + 1) is not distinct from
        (excluded.epoch, excluded.lease_until, excluded.tries)
    returning thread_id, tries
)
select thread_id, why, claimed.tries > %(most)s as is_given_up
from claimed join found using (thread_id)

-- name: is_due
select exists (
    select from open_step where thread_id = %(thread_id)s and due_at <= (select daybook_now())) as is_due

-- name: rest
update thread set status = %(status)s where thread_id = %(thread_id)s and status = 'active'

-- name: not_tried
update runner set tries = tries - 1 where thread_id = %(thread_id)s and tries > 0

-- name: again
update runner set tries = 0
where tries > 0 and thread_id = coalesce(%(thread_id)s::text, thread_id)

-- name: be_alive
select pg_advisory_lock(hashtextextended('daybook worker ' || %(worker_id)s::text, 0))

-- name: jobs_left_behind
select j.id
from procrastinate_jobs j left join procrastinate_workers w on w.id = j.worker_id
where j.status = 'doing' and j.queue_name = %(queue)s
  and (w.id is null or w.last_heartbeat < statement_timestamp() - %(silence)s or not exists (
      select from pg_locks
      where locktype = 'advisory' and objsubid = 1 and granted
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32) + objid::bigint
            = hashtextextended('daybook worker ' || w.id::text, 0)))
