-- The search over the ledger and the list of threads, by name. Row-level security leaves this
-- tenant's rows.

-- name: search
-- Steps as they were intended, newest first, with the state they are in now. A step that is on the
-- work list has its state there; of a settled one its last words tell it.
select i.thread_id, i.seq, i.user_id, i.at, i.op, i.gen, i.detail ->> 'tool' as tool,
    stands.state, (total.money ->> 'amount')::bigint as amount,
    total.money ->> 'currency' as currency, coalesce(i.detail ->> 'action', '0') as action,
    -- Whole: where there is a key they are encrypted, and opened outside of Postgres.
    described.body as described, own.body as own, answered.body as answered,
    i.payload_hash is not null and own.body is null as is_erased
from ledger_event i
left join ledger_payload own on own.thread_id = i.thread_id and own.seq = i.seq
left join open_step s on s.tenant_id = i.tenant_id and s.op = i.op and s.gen = i.gen
left join ledger_event opened on opened.thread_id = i.thread_id
    and opened.plan_id = i.plan_id and opened.event = 'opened'
left join ledger_payload described
    on described.thread_id = opened.thread_id and described.seq = opened.seq
left join lateral (
    select p.body from ledger_event e
    join ledger_payload p on p.thread_id = e.thread_id and p.seq = e.seq
    where %(words)s::text is not null and e.thread_id = i.thread_id and e.plan_id = i.plan_id
      and e.op = i.op and e.gen = i.gen and e.event in ('acknowledged', 'found', 'happened')
    order by e.seq desc
    limit 1) answered on true
left join lateral (
    select described.body -> 'actions' -> coalesce(i.detail ->> 'action', '0') -> 'total' as money
    ) total on true
left join lateral (
    select coalesce(s.state, case
        when bool_or(e.event in ('undo_attempted', 'undone')) then 'undone'
        when bool_or(e.event in ('expired', 'rejected', 'withdrawn', 'superseded', 'cancelled'))
            then 'void'
        when (array_agg(e.event order by e.seq desc) filter (
            where e.event in ('acknowledged', 'found', 'happened', 'failed')))[1] = 'failed'
            then 'negative'
        else 'done' end) as state
    from ledger_event e
    where e.thread_id = i.thread_id and e.plan_id = i.plan_id and e.op = i.op and e.gen = i.gen
    ) stands on true
where i.event = 'intended'
  and (%(tool)s::text is null or i.detail ->> 'tool' = %(tool)s)
  -- By the thread: an old entry may spell its person otherwise.
  and (%(user_id)s::text is null
       or i.thread_id in (select t.thread_id from thread t where t.user_id = %(user_id)s))
  and (%(reference)s::bytea is null
       or (i.op, i.gen) in (select r.op, r.gen from effect_reference r where r.reference = %(reference)s))
  and (%(state)s::text is null or stands.state = %(state)s)
  and (%(at_least)s::bigint is null or (total.money ->> 'amount')::bigint >= %(at_least)s)
  and (%(at_most)s::bigint is null or (total.money ->> 'amount')::bigint <= %(at_most)s)
  and (%(since)s::timestamptz is null or i.at >= %(since)s)
  and (%(until)s::timestamptz is null or i.at < %(until)s)
  and (%(before_at)s::timestamptz is null
       or (i.at, i.thread_id, i.seq) < (%(before_at)s, %(before_thread)s, %(before_seq)s))
order by i.at desc, i.thread_id desc, i.seq desc
limit %(most)s

-- name: threads
-- The latest plan that has words for it says what a thread is about, and what came of it; a single
-- call has none, and is taken where there is nothing else.
with found as (
    select thread_id, user_id, domain, status, created_at, last_activity
    from thread
    where (%(domains)s::text[] is null or domain is null or domain = any(%(domains)s))
      and (%(user_id)s::text is null or user_id = %(user_id)s)
      and (%(status)s::text is null or status = %(status)s)
      and (%(named)s::text is null or user_id = %(named)s or starts_with(thread_id, %(named)s))
    order by last_activity desc
    limit %(most)s
)
select f.*, latest.body as described, came.events, came.decisions,
    coalesce(latest.plan_id, call.plan_id) is not null as is_planned, exists (
    select from open_step s
    where s.thread_id = f.thread_id and s.state in ('in_doubt', 'stuck')) as is_doubted
from found f
left join lateral (
    -- Whole: where there is a key it is encrypted, and opened outside of Postgres.
    select p.body, e.plan_id from ledger_event e join ledger_payload p using (thread_id, seq)
    where e.thread_id = f.thread_id and e.plan_id is not null and e.event = 'opened'
    order by e.seq desc
    limit 1) latest on true
left join lateral (
    select e.plan_id from ledger_event e
    where latest.plan_id is null
      and e.thread_id = f.thread_id and e.plan_id is not null and e.event = 'opened'
    order by e.seq desc
    limit 1) call on true
left join lateral (
    select array_agg(e.event) as events,
        max((e.detail -> 'decisions')::text)::jsonb as decisions
    from ledger_event e
    where e.thread_id = f.thread_id and e.plan_id = coalesce(latest.plan_id, call.plan_id)
      and e.event in ('decision', 'succeeded', 'ended')) came on true
order by f.last_activity desc

-- name: standings
select status, count(*) as threads
from thread
where (%(domains)s::text[] is null or domain is null or domain = any(%(domains)s))
  and (%(user_id)s::text is null or user_id = %(user_id)s)
group by status

-- name: runner
-- Who runs a thread: a lease that has run out is that of somebody who is gone.
select process, lease_until > daybook_now() as is_at_work, lease_until, tries,
    nullif(retry_at, '-infinity') as retry_at
from runner where thread_id = %(thread_id)s

-- name: is_begun
select exists (select from thread where thread_id = %(thread_id)s) as is_begun

-- name: heads
-- How far threads have come, and whether somebody runs them: whoever died leaves a lease behind.
select h.thread_id, h.seq, coalesce(r.lease_until > daybook_now(), false) as is_running
from thread_head h left join runner r using (thread_id)
where h.thread_id = any(%(thread_ids)s)
