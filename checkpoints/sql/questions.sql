-- What waits for a person, over all threads, by name. Row-level security leaves this tenant's rows.

-- name: waiting
-- From the work list: plans that nobody has decided yet, and steps that only a person can tell of. The
-- longest waiting first; of each kind no more are read than are wanted.
with approvals as (
    select s.thread_id, s.user_id, t.domain, s.plan_id, s.due_at as until
    from open_step s join thread t using (thread_id)
    where s.asks is not null and %(is_doubt)s::boolean is not true
      -- One that has expired waits for nobody, whether or not a worker has written that down.
      and (s.due_at is null or s.due_at > (select daybook_now()))
      and t.status <> 'closed' and (t.domain is null or t.domain = any(%(domains)s))
      and (%(user_id)s::text is null or s.user_id = %(user_id)s)
    order by s.updated_at, s.thread_id
    limit %(most)s
),
doubts as (
    select s.thread_id, s.user_id, t.domain, s.plan_id, s.op, s.gen
    from open_step s join thread t using (thread_id)
    where s.state in ('in_doubt', 'stuck') and %(is_doubt)s::boolean is not false
      and t.status <> 'closed' and (t.domain is null or t.domain = any(%(domains)s))
      and (%(user_id)s::text is null or s.user_id = %(user_id)s)
    order by s.updated_at, s.thread_id
    limit %(most)s
)
select a.thread_id, a.user_id, a.domain, a.plan_id, false as is_doubt, opened.at as asked_at, a.until
from approvals a
join ledger_event opened on opened.thread_id = a.thread_id
    and opened.plan_id = a.plan_id and opened.event = 'opened'
union all
select d.thread_id, d.user_id, d.domain, d.plan_id, true, min(doubted.at), null
from doubts d
join lateral (
    select max(e.at) as at from ledger_event e
    where e.thread_id = d.thread_id and e.plan_id = d.plan_id and e.op = d.op and e.gen = d.gen
      and e.event in ('in_doubt', 'undo_stuck')) doubted on true
group by d.thread_id, d.user_id, d.domain, d.plan_id
order by asked_at, thread_id
limit %(most)s

-- name: names
-- What waits in some threads.
select s.thread_id, s.plan_id, s.op, s.gen, s.asks is not null as is_asked
from open_step s join thread t using (thread_id)
where s.thread_id = any(%(threads)s) and t.status <> 'closed'
  and (s.state in ('in_doubt', 'stuck')
    or s.asks is not null and (s.due_at is null or s.due_at > (select daybook_now())))

-- name: counted
-- The same, counted, and no further than to so many.
select
    (select count(*) from (
        select from open_step s join thread t using (thread_id)
        where s.asks is not null
          and (s.due_at is null or s.due_at > (select daybook_now()))
          and t.status <> 'closed' and (t.domain is null or t.domain = any(%(domains)s))
          and (%(user_id)s::text is null or s.user_id = %(user_id)s)
        limit %(most)s) asked) as approvals,
    (select count(*) from (
        select distinct s.thread_id, s.plan_id from open_step s join thread t using (thread_id)
        where s.state in ('in_doubt', 'stuck')
          and t.status <> 'closed' and (t.domain is null or t.domain = any(%(domains)s))
          and (%(user_id)s::text is null or s.user_id = %(user_id)s)
        limit %(most)s) asked) as doubts
