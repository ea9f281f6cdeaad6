-- What became of steps, over all threads, by name. Row-level security leaves this tenant's rows.

-- name: unsettled
-- The work list with what the ledger says about it, oldest first.
with moves as (
    select * from unnest(%(states)s::text[], %(events)s::text[]) as m (state, event)
),
oldest as (
    select * from open_step
    where %(thread_id)s::text is null or thread_id = %(thread_id)s
    order by updated_at, thread_id
    limit %(most)s
)
select s.thread_id, s.user_id, s.op, s.gen, s.tool, s.state, s.due_at,
    moved.at as since,
    -- Whole: where there is a key it is encrypted, and opened outside of Postgres.
    moved.detail as moved, p.body as body, p.seq as body_seq,
    moved.payload_hash is not null and p.body is null as is_erased,
    opened.detail ->> 'approval' = 'policy' or decided.seq is not null as is_decided,
    daybook_now() as now
from oldest s
left join ledger_event opened on opened.thread_id = s.thread_id
    and opened.plan_id = s.plan_id and opened.event = 'opened'
left join ledger_event decided on decided.thread_id = s.thread_id
    and decided.plan_id = s.plan_id and decided.event = 'decision'
left join lateral (
    select e.seq, e.at, e.detail, e.payload_hash
    from ledger_event e join moves m on m.event = e.event and m.state = s.state
    where e.thread_id = s.thread_id and e.plan_id = s.plan_id and e.op = s.op and e.gen = s.gen
    order by e.seq desc
    limit 1) moved on true
left join ledger_payload p on p.thread_id = s.thread_id and p.seq = moved.seq
order by since, s.thread_id, moved.seq

-- name: failed
-- What went otherwise than it was meant, newest first. The events are those of the index
-- ledger_event_failed.
with failed as (
    select * from ledger_event
    where event in (
            'failed', 'in_doubt', 'undone', 'undo_stuck',
            'expired', 'rejected', 'withdrawn', 'superseded', 'cancelled')
      and (%(thread_id)s::text is null or thread_id = %(thread_id)s)
    order by at desc, thread_id, seq desc
    limit %(most)s
)
select f.at, f.event, f.thread_id, f.user_id, f.op, f.gen,
    intended.detail ->> 'tool' as tool,
    answer.event as cause,
    -- Whole: where there is a key they are encrypted, and opened outside of Postgres.
    f.detail as moved, p.body as body, p.seq as body_seq, why.body as why, why.seq as why_seq,
    said.body as said, said.seq as said_seq,
    coalesce(intended.detail ->> 'action', '0') as action,
    f.payload_hash is not null and p.body is null
        or closing.payload_hash is not null and why.body is null
        or decided.payload_hash is not null and said.body is null as is_erased,
    coalesce(f.author, decided.author) as author,
    later.event as then_event, later.at as then_at, later.author as then_author
from failed f
join ledger_event intended on intended.thread_id = f.thread_id and intended.plan_id = f.plan_id
    and intended.op = f.op and intended.gen = f.gen and intended.event = 'intended'
left join ledger_payload p on p.thread_id = f.thread_id and p.seq = f.seq
-- A failed step: which answer it was that made it fail.
left join lateral (
    select e.event from ledger_event e
    where f.event = 'failed' and e.thread_id = f.thread_id and e.plan_id = f.plan_id
      and e.op = f.op and e.gen = f.gen and e.seq < f.seq
      and e.event in ('declined', 'refused', 'absent', 'not_happened')
    -- A decline is an answer; a refusal after it, or a look, only agrees.
    order by e.event = 'declined' desc, e.seq desc
    limit 1) answer on true
-- A step that ended with its action: why the action was closed.
left join lateral (
    select e.seq, e.payload_hash from ledger_event e
    where f.event in ('undone', 'expired', 'cancelled') and e.thread_id = f.thread_id
      and e.plan_id = f.plan_id and e.event = 'closing'
      and coalesce(e.detail ->> 'action', '0') = coalesce(intended.detail ->> 'action', '0')
    order by e.seq desc
    limit 1) closing on true
left join ledger_payload why on why.thread_id = f.thread_id and why.seq = closing.seq
-- A step that a person's decision ended: who decided, and what they said.
left join ledger_event decided on decided.thread_id = f.thread_id and decided.plan_id = f.plan_id
    and decided.event = 'decision' and f.event in ('rejected', 'withdrawn', 'superseded')
left join ledger_payload said on said.thread_id = f.thread_id and said.seq = decided.seq
-- What came after it: a person's word, a late answer, the undo.
left join lateral (
    select e.event, e.at, e.author from ledger_event e
    where e.thread_id = f.thread_id and e.plan_id = f.plan_id and e.op = f.op and e.gen = f.gen
      and e.seq > f.seq
    order by e.seq desc
    limit 1) later on true
order by f.at desc, f.thread_id, f.seq desc

-- name: has_ledger
select exists (select from thread_head where thread_id = %(thread_id)s and seq > 0) as has_ledger

-- name: waiting
-- From the work list: plans that nobody has decided yet, and steps that only a person can tell of. The
-- longest waiting first; of each kind no more are read than are wanted.
with approvals as (
    select s.thread_id, s.user_id, t.domain, s.plan_id, s.due_at as until
    from open_step s join thread t using (thread_id)
    where s.asks is not null
      -- One that has expired waits for nobody, whether or not a worker has written that down.
      and (s.due_at is null or s.due_at > (select daybook_now()))
      and t.status <> 'closed'
      and (%(domains)s::text[] is null or t.domain is null or t.domain = any(%(domains)s))
      and (%(user_id)s::text is null or s.user_id = %(user_id)s)
    order by s.updated_at, s.thread_id
    limit %(most)s
),
doubts as (
    select s.thread_id, s.user_id, t.domain, s.plan_id, s.op, s.gen
    from open_step s join thread t using (thread_id)
    where s.state in ('in_doubt', 'stuck')
      and t.status <> 'closed'
      and (%(domains)s::text[] is null or t.domain is null or t.domain = any(%(domains)s))
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
-- The same, counted, and no further than to so many: what needs staff, doubts, and what needs its customer
-- alone.
select
    (select count(*) from (
        select from open_step s join thread t using (thread_id)
        where s.asks in ('clerk', 'operator')
          and (s.due_at is null or s.due_at > (select daybook_now()))
          and t.status <> 'closed'
          and (%(domains)s::text[] is null or t.domain is null or t.domain = any(%(domains)s))
          and (%(user_id)s::text is null or s.user_id = %(user_id)s)
        limit %(most)s) asked) as approvals,
    (select count(*) from (
        select distinct s.thread_id, s.plan_id from open_step s join thread t using (thread_id)
        where s.state in ('in_doubt', 'stuck')
          and t.status <> 'closed'
          and (%(domains)s::text[] is null or t.domain is null or t.domain = any(%(domains)s))
          and (%(user_id)s::text is null or s.user_id = %(user_id)s)
        limit %(most)s) asked) as doubts,
    (select count(*) from (
        select from open_step s join thread t using (thread_id)
        where s.asks = 'customer'
          and (s.due_at is null or s.due_at > (select daybook_now()))
          and t.status <> 'closed'
          and (%(domains)s::text[] is null or t.domain is null or t.domain = any(%(domains)s))
          and (%(user_id)s::text is null or s.user_id = %(user_id)s)
        limit %(most)s) asked) as customers

-- name: inbox
-- What waits, narrowed and in order, from the work list. What a plan needs and comes to is read of all where
-- that is asked for alone (it stands in the clear), and payloads of the rows that are shown.
with waits as (
    select s.thread_id, s.user_id, t.domain, s.plan_id, s.op, s.gen, s.tool, s.state, s.asks,
        false as is_doubt, s.due_at as until, s.updated_at
    from open_step s join thread t using (thread_id)
    where s.asks is not null
      and (%(asks)s::text[] is null or s.asks = any(%(asks)s))
      and (s.due_at is null or s.due_at > (select daybook_now()))
      and t.status <> 'closed'
      and (%(domains)s::text[] is null or t.domain is null or t.domain = any(%(domains)s))
      and (%(user_id)s::text is null or s.user_id = %(user_id)s)
      and (%(age)s::interval is null or s.updated_at <= (select daybook_now()) - %(age)s::interval)
    union all
    -- A thread asks one question at a time.
    (select distinct on (s.thread_id, s.plan_id) s.thread_id, s.user_id, t.domain, s.plan_id, s.op, s.gen,
        s.tool, s.state, s.asks, true, null, s.updated_at
    from open_step s join thread t using (thread_id)
    where s.state in ('in_doubt', 'stuck') and %(doubts)s
      and t.status <> 'closed'
      and (%(domains)s::text[] is null or t.domain is null or t.domain = any(%(domains)s))
      and (%(user_id)s::text is null or s.user_id = %(user_id)s)
      and (%(age)s::interval is null or s.updated_at <= (select daybook_now()) - %(age)s::interval)
    order by s.thread_id, s.plan_id, s.updated_at)
),
judged as (
    select w.*, opened.seq as opened_seq, coalesce(opened.needs, '{}') as needs,
        case when w.is_doubt then coalesce(opened.needs ->> 'doubt', 'customer') else w.asks end as role
    from waits w
    left join lateral (
        select e.seq, e.detail -> 'needs' as needs from ledger_event e
        where %(judges)s and e.thread_id = w.thread_id and e.plan_id = w.plan_id and e.event = 'opened'
        ) opened on true
),
fitting as (
    -- Little of each: all of them are put in order.
    select j.thread_id, j.user_id, j.domain, j.plan_id, j.op, j.gen, j.tool, j.state, j.is_doubt, j.until,
        j.updated_at, came.cents, count(*) over () as found
    from judged j
    left join lateral (
        -- Hundredths: of yen there are none.
        select sum((a.about -> 'total' ->> 'amount')::numeric * coalesce(
            (%(hundredths)s::jsonb ->> (a.about -> 'total' ->> 'currency'))::numeric, 1)) as cents
        from ledger_payload p, jsonb_each(p.body -> 'actions') as a (name, about)
        where %(weighs)s and p.thread_id = j.thread_id and p.seq = j.opened_seq) came on true
    where (%(role)s::text is null or j.role = %(role)s)
      and (%(roles)s::text[] is null
        or j.role = any(%(roles)s) and (j.is_doubt
          or not ((j.needs ? 'four_eyes' or j.needs ? 'approvals')
              and (j.user_id = any(%(me)s) or coalesce(j.needs ->> 'asked_by', '') = any(%(me)s)))
            and (not j.needs ? 'people' or j.needs -> 'people' ?| %(me)s)
            and not exists (
                select from ledger_event e
                where e.thread_id = j.thread_id and e.plan_id = j.plan_id and e.event = 'approval'
                  and (e.author = any(%(me)s) or e.detail -> 'stands_for' ?| %(me)s))))
      and (%(at_least)s::bigint is null or came.cents >= %(at_least)s)
      and (%(at_most)s::bigint is null or came.cents <= %(at_most)s)
    order by case %(sort)s when 'amount' then -came.cents end,
        case %(sort)s when 'deadline' then j.until end, j.updated_at, j.thread_id
    limit %(most)s offset %(skip)s
)
select f.thread_id, f.user_id, f.domain, f.plan_id, f.op, f.gen, f.tool, f.state, f.is_doubt, f.until, f.found,
    coalesce(opened.detail -> 'needs', '{}') as needs, opened.detail -> 'actions' as actions,
    coalesce(doubted.at, opened.at) as asked_at,
    array(
        select jsonb_build_object('user', e.author, 'stands_for', coalesce(e.detail -> 'stands_for', '[]'))
        from ledger_event e
        where not f.is_doubt and e.thread_id = f.thread_id and e.plan_id = f.plan_id
          and e.event = 'approval'
        order by e.seq) as approved_by,
    -- Whole: where there is a key they are encrypted, and opened outside of Postgres.
    p.body as body, of_step.body as step_body, doubted.detail ->> 'undo' as undo
from fitting f
join ledger_event opened on opened.thread_id = f.thread_id and opened.plan_id = f.plan_id
    and opened.event = 'opened'
left join ledger_payload p on p.thread_id = opened.thread_id and p.seq = opened.seq
left join lateral (
    select i.seq, i.detail, (
        select max(e.at) from ledger_event e
        where e.thread_id = f.thread_id and e.plan_id = f.plan_id and e.op = f.op and e.gen = f.gen
          and e.event in ('in_doubt', 'undo_stuck')) as at
    from ledger_event i
    where f.is_doubt and i.thread_id = f.thread_id and i.plan_id = f.plan_id and i.op = f.op
      and i.gen = f.gen and i.event = 'intended') doubted on true
left join ledger_payload of_step on of_step.thread_id = f.thread_id and of_step.seq = doubted.seq
order by case %(sort)s when 'amount' then -f.cents end,
    case %(sort)s when 'deadline' then f.until end, f.updated_at, f.thread_id
