-- What is measured over all threads, by name. Row-level security leaves this tenant's rows.

-- name: open_steps
select tool, state, count(*) as steps,
    extract(epoch from daybook_now() - min(updated_at))::float as oldest
from open_step
group by tool, state

-- name: approvals
select asks as decided_by, count(*) as plans,
    extract(epoch from daybook_now() - min(updated_at))::float as oldest
from open_step
where asks is not null
group by asks

-- name: threads
select status, count(*) as threads from thread group by status

-- name: runners
-- Each by an index of the few that it is about: nobody runs most threads.
select
    (select count(*) from runner
        where lease_until is not null and lease_until >= (select daybook_now())) as at_work,
    (select count(*) from runner
        where lease_until is not null and lease_until < (select daybook_now())) as silent,
    (select count(*) from runner where tries > 0 and tries > %(most_tries)s) as given_up

-- name: workers
select count(*) filter (where last_heartbeat > statement_timestamp() - %(silence)s) as alive,
    extract(epoch from statement_timestamp() - max(last_heartbeat))::float as silent
from procrastinate_workers

-- name: jobs
select status::text as status, count(*) as jobs from procrastinate_jobs
where status in ('todo', 'doing')
group by status

-- name: notifications
select state, count(*) as deliveries,
    extract(epoch from daybook_now() - min(due_at))::float as oldest
from notification_delivery
where state in ('pending', 'dead') and due_at <= daybook_now()
group by state

-- name: until
-- A page takes its time when it begins, and is seen when it is committed.
select daybook_now() - %(lag)s as until

-- name: turns
select event, count(*) as turns
from ledger_event
where event in ('received', 'turn_done')
  and at > coalesce(%(after)s::timestamptz, '-infinity') and at <= %(until)s
group by event

-- name: usage
select model, is_estimated, count(*) as calls,
    sum(input)::bigint as input, sum(cached)::bigint as cached, sum(output)::bigint as output
from model_usage
where at > coalesce(%(after)s::timestamptz, '-infinity') and at <= %(until)s
group by model, is_estimated

-- name: attempts
select i.detail ->> 'tool' as tool, e.event as name,
    width_bucket(extract(epoch from e.at - a.at)::float, %(bounds)s::float[]) as bucket,
    count(*) as times, sum(extract(epoch from e.at - a.at))::float as seconds
from ledger_event e
join ledger_event a on a.tenant_id = e.tenant_id and a.op = e.op and a.gen = e.gen
    and a.attempt = e.attempt and a.event = 'attempted'
join ledger_event i on i.tenant_id = e.tenant_id and i.op = e.op and i.gen = e.gen
    and i.event = 'intended'
where e.event in ('acknowledged', 'declined', 'refused', 'unanswered')
  and e.at > coalesce(%(after)s::timestamptz, '-infinity') and e.at <= %(until)s
group by tool, name, bucket

-- name: decisions
select '' as tool, e.detail -> 'decisions' ->> 0 as name,
    width_bucket(extract(epoch from e.at - o.at)::float, %(bounds)s::float[]) as bucket,
    count(*) as times, sum(extract(epoch from e.at - o.at))::float as seconds
from ledger_event e
join ledger_event o on o.thread_id = e.thread_id and o.plan_id = e.plan_id and o.event = 'opened'
where e.event = 'decision'
  and e.at > coalesce(%(after)s::timestamptz, '-infinity') and e.at <= %(until)s
group by name, bucket
