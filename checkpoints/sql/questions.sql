-- What waits for a person, over all threads, by name. Row-level security leaves this tenant's rows.

-- name: waiting
-- From the work list, which is small: steps of plans that nobody has decided yet, and steps that
-- only a person can tell of. The longest waiting first.
select s.thread_id, s.user_id, s.plan_id,
    bool_or(s.state in ('in_doubt', 'stuck')) as is_doubt,
    min(coalesce(doubted.at, opened.at)) as asked_at,
    min(opened.deadline_at) filter (where s.state = 'intended') as until
from open_step s
join thread t using (thread_id)
join ledger_event opened on opened.thread_id = s.thread_id
    and opened.plan_id = s.plan_id and opened.event = 'opened'
left join ledger_event decided on decided.thread_id = s.thread_id
    and decided.plan_id = s.plan_id and decided.event = 'decision'
left join lateral (
    select max(e.at) as at from ledger_event e
    where s.state in ('in_doubt', 'stuck') and e.thread_id = s.thread_id
      and e.plan_id = s.plan_id and e.op = s.op and e.gen = s.gen
      and e.event in ('in_doubt', 'undo_stuck')) doubted on true
where t.status <> 'closed' and (t.domain is null or t.domain = %(domain)s)
  and (%(user_id)s::text is null or s.user_id = %(user_id)s)
  and (s.state in ('in_doubt', 'stuck')
       or s.state = 'intended' and decided.seq is null and opened.detail ->> 'approval' <> 'policy')
group by s.thread_id, s.user_id, s.plan_id
order by asked_at, s.thread_id
limit %(most)s
