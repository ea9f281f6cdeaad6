-- Where conversations stand, by name. Row-level security leaves this tenant's rows.

-- name: standing
select t.thread_id, t.user_id, t.status, t.last_activity,
    coalesce(asked.asks, '') as asks, coalesce(asked.is_doubt, false) as is_doubt, asked.until,
    decided.at as asked_at,
    (decided.detail ->> 'lifetime')::float * interval '1 second' as cached,
    held.until as holds_until
from thread t
left join lateral (
    select bool_or(s.state in ('in_doubt', 'stuck')) as is_doubt,
        min(opened.deadline_at) filter (where s.state = 'intended') as until,
        max(coalesce(opened.detail -> 'needs' ->> 'role', 'customer')) as asks
    from open_step s
    join ledger_event opened on opened.thread_id = s.thread_id
        and opened.plan_id = s.plan_id and opened.event = 'opened'
    where s.thread_id = t.thread_id and t.status = 'waiting') as asked on true
left join lateral (
    select e.at, e.detail from ledger_event e
    where e.thread_id = t.thread_id and e.event = 'decided'
    order by e.seq desc limit 1) as decided on true
left join lateral (
    select max(s.due_at) as until from open_step s
    where s.thread_id = t.thread_id and s.state in ('done', 'unknown', 'undoing')) as held on true
where (t.domain is null or t.domain = %(domain)s)
  and (%(user_id)s::text is null or t.user_id = %(user_id)s)
  and (%(thread_id)s::text is null or t.thread_id = %(thread_id)s)
order by t.last_activity desc
limit %(most)s
