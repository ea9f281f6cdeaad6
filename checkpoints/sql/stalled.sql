-- Statements about threads that nobody finishes, and about jobs whose worker is gone. Heartbeats are
-- procrastinate's, which dates them by the server's clock.

-- name: claim
-- What stands still, and why: what died first, then what has been due for longest. A claim counts a
-- try and says when the next one may be: at once for the first tries, so that deaths cost no time, then
-- later and later. The number after the last try is claimed once more, for its thread to be told of as
-- given up. Of what is due, however much it is, as many threads are read as are taken: the index is
-- gone through in its order, past what has a job or waits for its next try, to the limit. The clock is
-- read once, in a query of its own: compared with the function itself, no index could be used.
with alive as materialized (
    select array_agg(application_name) as processes from pg_stat_activity
    where datname = current_database()
),
-- What nobody has begun yet is waited for, but for what died: it goes first.
room as materialized (
    select %(at_once)s - count(*) as threads from procrastinate_jobs
    where queue_name = %(queue)s and status = 'todo' and priority = 0
),
due as materialized (
    select s.thread_id, s.due_at as since
    from open_step s
    where s.due_at <= (select daybook_now())
      -- Once for a thread: the first of its steps. Each of these is looked up for a row, and none is
      -- a join: Postgres cannot know how little is due, and would join all there is.
      and (s.op, s.gen) = (
          select b.op, b.gen from open_step b
          where b.thread_id = s.thread_id and b.due_at is not null
          order by b.due_at, b.op, b.gen limit 1)
      and (select t.status <> 'closed' and t.domain = %(domain)s
               and (t.world is null or t.world = coalesce(%(world)s::text, t.world))
           from thread t where t.thread_id = s.thread_id)
      and (select count(*) from procrastinate_jobs j
           where j.queueing_lock = s.thread_id and j.status = 'todo') = 0
      and (select count(*) from procrastinate_jobs j
           where j.lock = s.thread_id and j.status = 'doing') = 0
      and coalesce((
          select r.lease_until is null and (r.tries = 0
              or r.retry_at <= (select daybook_now()) and r.tries <= %(most)s)
          from runner r where r.thread_id = s.thread_id), true)
    order by s.due_at
    limit %(at_once)s
),
cut_off as materialized (
    select t.thread_id, t.last_activity as since
    from thread t
    where t.status = 'active' and t.last_activity < (select daybook_now()) - %(idle)s
      and t.domain = %(domain)s
      and (t.world is null or t.world = coalesce(%(world)s::text, t.world))
      -- Somebody comes for it then anyway.
      and (select count(*) from open_step s
           where s.thread_id = t.thread_id and s.due_at > (select daybook_now())) = 0
      and (select count(*) from procrastinate_jobs j
           where j.queueing_lock = t.thread_id and j.status = 'todo') = 0
      and (select count(*) from procrastinate_jobs j
           where j.lock = t.thread_id and j.status = 'doing') = 0
      and coalesce((
          select r.lease_until is null and (r.tries = 0
              or r.retry_at <= (select daybook_now()) and r.tries <= %(most)s)
          from runner r where r.thread_id = t.thread_id), true)
    order by t.last_activity
    limit %(at_once)s
),
standing as materialized (
    -- Who shares its sessions with others, and is gone, falls silent.
    select r.thread_id, 1 as rank, r.lease_until as since,
        case when is_alive then 'silent' else 'died' end as why
    from runner r cross join lateral (
        select r.process = any((select processes from alive)::text[])
            or starts_with(coalesce(r.process, ''), 'daybook-shares-') as is_alive) it
    where r.lease_until is not null
      and (is_alive is not true or r.lease_until < (select daybook_now()))
    union all
    select thread_id, 2, since, null from due
    union all
    select thread_id, 3, since, 'cut off' from cut_off
),
free as materialized (
    -- Not what a transaction holds: a runner that is suspended in one would keep all others waiting.
    select thread_id from runner where thread_id = any(array(select thread_id from standing))
    for update skip locked
),
each as (
    select distinct on (thread_id)
        thread_id, t.tenant_id, t.user_id, s.why, s.rank, s.since, r.epoch, r.lease_until, r.tries
    from standing s join thread t using (thread_id) left join runner r using (thread_id)
    where t.thread_id = any(array(select thread_id from standing))
      and t.status <> 'closed' and t.domain = %(domain)s
      and (t.world is null or t.world = coalesce(%(world)s::text, t.world))
      and (r.thread_id is null or r.thread_id in (select thread_id from free))
      and (r.lease_until is null or s.rank = 1)
      and coalesce(
          r.tries = 0 or r.retry_at <= daybook_now() and r.tries <= %(most)s, true)
      and (select count(*) from procrastinate_jobs j
           where j.queueing_lock = thread_id and j.status = 'todo') = 0
      and (select count(*) from procrastinate_jobs j
           where j.lock = thread_id and j.status = 'doing') = 0
    order by thread_id, s.rank
),
found as (
    select * from (
        select e.*, row_number() over (order by rank, since, thread_id) as place from each e) it
    where place <= case when rank = 1 then %(at_once)s else (select threads from room) end
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
select thread_id, claimed.tries > %(most)s as is_given_up, coalesce(found.why, (
    select 'due: ' || string_agg(distinct concat_ws(' ', s.tool, s.state), ', ')
    from open_step s
    where s.thread_id = found.thread_id and s.due_at <= (select daybook_now()))) as why
from claimed join found using (thread_id)
order by place

-- name: has_queue
select to_regclass('procrastinate_jobs') is not null as has_queue

-- name: no_queue
-- Stands for the table where no worker's process has made it.
procrastinate_jobs (queue_name, queueing_lock, lock, status, priority) as (
    select null::text, null::text, null::text, null::text, 0 where false)

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
