-- Statements of the ledger, by name. What runs inside `Ledger.page` runs under the thread's lock.
-- No statement selects `*`: a prepared one would fail in every session that is open when the next
-- release adds a column.

-- name: open_thread
with opened as (
    insert into thread (thread_id, tenant_id, user_id, domain, world)
    values (%(thread_id)s, %(tenant_id)s, %(user_id)s, %(domain)s, %(world)s)
    on conflict (thread_id) do nothing
    returning thread_id, tenant_id, user_id
)
insert into thread_head (thread_id, tenant_id, user_id)
select thread_id, tenant_id, user_id from opened

-- name: lock_head
select seq, hash, open_plan, user_id
from thread_head
where thread_id = %(thread_id)s
for update

-- name: clock
select daybook_now() as now, coalesce(
    (select status = 'closed' from thread where thread_id = %(thread_id)s), false) as closed

-- name: entries_of_plan
select e.thread_id, e.seq, e.tenant_id, e.user_id, e.ledger_version, e.event, e.turn_id, e.plan_id,
    e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
    e.payload_hash, e.at, e.hash, p.body as payload, daybook_now() as now
from ledger_event e left join ledger_payload p using (thread_id, seq)
where e.thread_id = %(thread_id)s and e.plan_id = %(plan_id)s
order by e.seq

-- name: entries_of_open_plan
select e.thread_id, e.seq, e.tenant_id, e.user_id, e.ledger_version, e.event, e.turn_id, e.plan_id,
    e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
    e.payload_hash, e.at, e.hash, p.body as payload, daybook_now() as now
from ledger_event e left join ledger_payload p using (thread_id, seq)
where e.thread_id = %(thread_id)s
  and e.plan_id = (select open_plan from thread_head where thread_id = %(thread_id)s)
order by e.seq

-- name: answered_calls
-- Calls that want an effect have an answer here where they were refused.
select call from read_call
where thread_id = %(thread_id)s and turn_id = %(turn_id)s and call = any(%(calls)s)

-- name: later_entries_of_plan
-- What this process does not know of it: mostly nothing.
select e.thread_id, e.seq, e.tenant_id, e.user_id, e.ledger_version, e.event, e.turn_id, e.plan_id,
    e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
    e.payload_hash, e.at, e.hash, p.body as payload
from ledger_event e left join ledger_payload p using (thread_id, seq)
where e.thread_id = %(thread_id)s and e.plan_id = %(plan_id)s and e.seq > %(after)s
order by e.seq

-- name: entries_of_thread
select e.thread_id, e.seq, e.tenant_id, e.user_id, e.ledger_version, e.event, e.turn_id, e.plan_id,
    e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
    e.payload_hash, e.at, e.hash, p.body as payload
from ledger_event e left join ledger_payload p using (thread_id, seq)
where e.thread_id = %(thread_id)s and e.seq > %(after)s
order by e.seq

-- name: ended_plans
-- All entries of the plans that ended after an entry. An array, here and below: joined, a table without
-- statistics was read once for each of its rows.
select e.thread_id, e.seq, e.tenant_id, e.user_id, e.ledger_version, e.event, e.turn_id, e.plan_id,
    e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
    e.payload_hash, e.at, e.hash, p.body as payload
from ledger_event e left join ledger_payload p using (thread_id, seq)
where e.thread_id = %(thread_id)s and e.plan_id = any(array(
    select plan_id from ledger_event
    where thread_id = %(thread_id)s and seq > %(after)s and event in ('succeeded', 'ended')))
order by e.seq

-- name: edited_plans
-- The few that a person changed, and not each plan of the turn anew with each of its decisions.
select e.thread_id, e.seq, e.tenant_id, e.user_id, e.ledger_version, e.event, e.turn_id, e.plan_id,
    e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
    e.payload_hash, e.at, e.hash, p.body as payload
from ledger_event e left join ledger_payload p using (thread_id, seq)
where e.thread_id = %(thread_id)s and e.plan_id = any(array(
    select plan_id from ledger_event
    where thread_id = %(thread_id)s and event = 'decision' and detail -> 'decisions' ? 'edited'
      and seq > (select seq from ledger_event
        where thread_id = %(thread_id)s and turn_id = %(turn_id)s and event = 'received')))
order by e.seq

-- name: left_over
select s.plan_id, bool_or(s.state in ('in_doubt', 'stuck')) as is_in_question
from open_step s join thread_head h using (thread_id)
where s.thread_id = %(thread_id)s and s.plan_id is distinct from h.open_plan
  and (s.state in ('in_doubt', 'stuck') or s.due_at <= daybook_now())
group by s.plan_id
-- A question stops the run until a person answers it.
order by is_in_question, min(s.updated_at)

-- name: entries_of_turn
select e.thread_id, e.seq, e.tenant_id, e.user_id, e.ledger_version, e.event, e.turn_id, e.plan_id,
    e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
    e.payload_hash, e.at, e.hash, p.body as payload
from ledger_event e left join ledger_payload p using (thread_id, seq)
where e.thread_id = %(thread_id)s and e.turn_id = %(turn_id)s
  and e.event in ('received', 'decided', 'applied', 'turn_done')
order by e.seq

-- name: newest_turn
select e.thread_id, e.seq, e.tenant_id, e.user_id, e.ledger_version, e.event, e.turn_id, e.plan_id,
    e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
    e.payload_hash, e.at, e.hash, p.body as payload
from ledger_event e left join ledger_payload p using (thread_id, seq)
where e.thread_id = %(thread_id)s and e.event = 'received'
order by e.seq desc limit 1

-- name: decisions_of_message
select e.thread_id, e.seq, e.tenant_id, e.user_id, e.ledger_version, e.event, e.turn_id, e.plan_id,
    e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
    e.payload_hash, e.at, e.hash, p.body as payload
from ledger_event e left join ledger_payload p using (thread_id, seq)
where e.thread_id = %(thread_id)s and e.event = 'decided' and e.detail ? 'message'
  and e.detail ->> 'message' = %(message)s
order by e.seq desc

-- name: decisions_of_calls
select e.thread_id, e.seq, e.tenant_id, e.user_id, e.ledger_version, e.event, e.turn_id, e.plan_id,
    e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
    e.payload_hash, e.at, e.hash, p.body as payload
from ledger_event e left join ledger_payload p using (thread_id, seq)
where e.thread_id = %(thread_id)s and e.event = 'decided' and e.detail -> 'calls' ?| %(calls)s
order by e.seq desc

-- name: decisions_of_run
select e.thread_id, e.seq, e.tenant_id, e.user_id, e.ledger_version, e.event, e.turn_id, e.plan_id,
    e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
    e.payload_hash, e.at, e.hash, p.body as payload
from ledger_event e left join ledger_payload p using (thread_id, seq)
where e.thread_id = %(thread_id)s and e.event = 'decided'
  and starts_with(e.turn_id, %(run)s || '/')
order by e.seq desc

-- name: turn_under_way
-- Of the newest turn: it was begun and is not over.
select turn_id, event from ledger_event
where thread_id = %(thread_id)s and event in ('received', 'turn_done')
order by seq desc limit 1

-- name: stopped_by
-- Who wants nothing more begun in a turn.
select author from ledger_event
where thread_id = %(thread_id)s and event = 'applied' and detail ->> 'stops' = %(turn_id)s

-- name: intents_of_operations
select op, thread_id, plan_id, gen
from ledger_event
where op = any(%(ops)s) and event = 'intended'
order by gen

-- name: append_page
select append_page(
    %(thread_id)s, %(tenant_id)s, %(user_id)s, %(entries)s, %(payload_seqs)s::bigint[],
    %(salts)b::bytea[], %(bodies)b::jsonb[], %(gone)s, %(listed)s, %(seq)s, %(hash)s,
    %(open_plan)s::text, %(is_active)s, %(stands)s::text)

-- name: keep_open_step
insert into open_step (
    tenant_id, user_id, op, gen, thread_id, plan_id, tool, state, due_at, asks)
values (
    %(tenant_id)s, %(user_id)s, %(op)s, %(gen)s, %(thread_id)s, %(plan_id)s, %(tool)s, %(state)s,
    %(due_at)s, %(asks)s)
on conflict (tenant_id, op, gen) do update
set state = excluded.state, due_at = excluded.due_at, asks = excluded.asks,
    updated_at = daybook_now()

-- name: drop_work_list
delete from open_step where thread_id = %(thread_id)s and plan_id <> all(%(but_not)s)

-- name: chain
select e.thread_id, e.seq, e.tenant_id, e.user_id, e.ledger_version, e.event, e.turn_id, e.plan_id,
    e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
    e.payload_hash, e.at, e.hash, p.salt, p.body as payload
from ledger_event e left join ledger_payload p using (thread_id, seq)
where e.thread_id = %(thread_id)s
order by e.seq

-- name: beside
select t.thread_id is not null as has_thread, h.thread_id is not null as has_head,
    coalesce(h.seq, 0) as seq, coalesce(h.hash, '\x') as hash, h.open_plan
from (select %(thread_id)s::text as thread_id) as asked
left join thread t using (thread_id)
left join thread_head h using (thread_id)

-- name: work_list
select op, gen, plan_id, tool, state, due_at, asks from open_step where thread_id = %(thread_id)s

-- name: thread_ids
-- From each no more than are wanted: of what has rows in one of them, and not in the others, too.
select thread_id from (
    (select thread_id from thread where thread_id > %(after)s order by thread_id limit %(most)s)
    union
    (select thread_id from thread_head
     where thread_id > %(after)s order by thread_id limit %(most)s)
    union
    (select distinct thread_id from ledger_event
     where thread_id > %(after)s order by thread_id limit %(most)s)) as kept
order by thread_id
limit %(most)s

-- name: head
select seq, hash, open_plan from thread_head where thread_id = %(thread_id)s

-- name: whose
-- And whether the token by which somebody comes has lapsed: a run may have waited for its turn.
select user_id, status, domain, world, exists (
    select from token
    where token_id = %(token_id)s
      and (revoked_at is not null or expires_at <= daybook_now())) as is_lapsed
from thread where thread_id = %(thread_id)s

-- name: is_user
select exists (select from thread where user_id = %(user_id)s) as is_user

-- name: salt_of_thread
-- In the checkpoint, or beside it where it is encrypted.
select * from (
    select checkpoint -> 'channel_values' ->> 'salt' as salt, null as type, null::bytea as blob,
        thread_id, checkpoint_ns, null as channel, null as version
    from checkpoints
    where thread_id = %(thread_id)s and checkpoint_ns = ''
      and checkpoint -> 'channel_values' ->> 'salt' is not null
    union all
    select null, type, blob, thread_id, checkpoint_ns, channel, version
    from checkpoint_blobs
    where thread_id = %(thread_id)s and checkpoint_ns = '' and channel = 'salt'
) as kept
limit 1

-- name: threads_of_user
select thread_id, status, created_at, last_activity
from thread
where user_id = %(user_id)s and (domain is null or domain = %(domain)s)
  and (world is null or world = coalesce(%(world)s::text, world))
order by last_activity desc

-- name: references_held
select encode(reference, 'hex') as reference, op, gen from effect_reference
where domain = %(domain)s and world = %(world)s and tool = %(tool)s
  and reference = any(%(references)s) and (op, gen) is distinct from (%(op)s, %(gen)s)

-- name: holds
select from effect_reference
where domain = %(domain)s and world = %(world)s and tool = %(tool)s
  and reference = %(reference)s and op = %(op)s and gen = %(gen)s

-- name: unsent_generations
select i.gen from ledger_event i
where i.tenant_id = current_setting('daybook.tenant') and i.op = %(op)s and i.gen < %(before)s
  and i.event = 'intended' and not exists (
      select from ledger_event a
      where a.thread_id = i.thread_id and a.plan_id = i.plan_id and a.op = i.op and a.gen = i.gen
        and a.event = 'attempted')

-- name: lock_limit
-- Of two plans that take of one limit, for the same, the second sees what the first has taken.
select pg_advisory_xact_lock(hashtextextended(
    current_setting('daybook.tenant') || chr(31) || %(limit_name)s || chr(31) || %(whose)s, 0))

-- name: spent
-- Steps of this very plan are counted anew, as those of a version that was edited were ended. What is not
-- settled counts however long it waits: it is still to come. What has expired is not, whether or not anybody
-- has written that down; an approval that was in time is committed within a minute.
with counted as (
    select op, gen, currency, cents from spending
    where limit_name = %(limit_name)s and whose = %(whose)s and counts
      and at > daybook_now() - %(since)s
    union all
    select s.op, s.gen, s.currency, s.cents from spending s join open_step o using (tenant_id, op, gen)
    where s.limit_name = %(limit_name)s and s.whose = %(whose)s and s.counts
      and s.at <= daybook_now() - %(since)s
)
select coalesce(sum(cents) filter (where currency = %(currency)s), 0) as cents, count(*) as calls
from counted c
where not exists (
    select from open_step o join open_step q using (thread_id, plan_id)
    where o.op = c.op and o.gen = c.gen and q.asks is not null
      and q.due_at <= daybook_now() - interval '1 minute')

-- name: keep_spending
insert into spending (tenant_id, limit_name, whose, op, gen, currency, cents)
values (%(tenant_id)s, %(limit_name)s, %(whose)s, %(op)s, %(gen)s, %(currency)s, %(cents)s)

-- name: keep_usage
-- A call is counted once, also where the answer to its commit was lost.
insert into model_usage (tenant_id, call_id, thread_id, user_id, model, input, cached, output, is_estimated)
values (
    %(tenant_id)s, %(call_id)s, %(thread_id)s, %(user_id)s, %(model)s, %(input)s, %(cached)s, %(output)s,
    %(is_estimated)s)
on conflict do nothing

-- name: used
-- What is null is not asked for: with it all threads, all users, all of the time. Of many threads only those
-- that asked a model lately.
select case %(per)s when 'thread' then thread_id when 'user' then user_id else '' end as whose, model,
    sum(input)::bigint as input, sum(cached)::bigint as cached, sum(output)::bigint as output
from model_usage
where (%(thread_id)s::text is null or thread_id = %(thread_id)s)
  and (%(user_id)s::text is null or user_id = %(user_id)s)
  and (%(since)s::interval is null or at > (select daybook_now()) - %(since)s::interval)
  and (%(lately)s::interval is null or thread_id in (
      select thread_id from model_usage where at > (select daybook_now()) - %(lately)s::interval))
group by 1, 2

-- name: bind_reference
insert into effect_reference (tenant_id, domain, world, tool, reference, op, gen)
values (%(tenant_id)s, %(domain)s, %(world)s, %(tool)s, %(reference)s, %(op)s, %(gen)s)

-- name: release_references
delete from effect_reference
where tenant_id = %(tenant_id)s and domain = %(domain)s and world = %(world)s
  and tool = %(tool)s and op = %(op)s and gen = %(gen)s

-- name: standing
select t.thread_id, t.user_id, t.domain as program, t.status, t.last_activity,
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
where (%(domain)s::text is null or t.domain is null or t.domain = %(domain)s)
  and (%(user_id)s::text is null or t.user_id = %(user_id)s)
  and (%(thread_id)s::text is null or t.thread_id = %(thread_id)s)
order by t.last_activity desc
limit %(most)s

-- name: missing_threads
-- One whose head alone is gone is found by its entries.
select coalesce((select threads from ledger_total), 0) - (
    select count(*) from (
        select thread_id from thread_head union select thread_id from ledger_event) as kept) as missing

-- name: heads
select thread_id, seq, encode(hash, 'hex') as hash from thread_head
where thread_id > %(after)s and seq > 0
  and (%(since)s::timestamptz is null
    or thread_id in (select thread_id from ledger_event where at >= %(since)s))
order by thread_id limit %(most)s

-- name: spans
-- Where what was written in a period begins and ends in each thread: in one piece, also where the clock
-- was set back. A thread with a head and no entries, or the other way round, is there too.
select k.thread_id, f.seq as first, coalesce(encode(b.hash, 'hex'), '') as previous, l.seq as last,
    encode(l.hash, 'hex') as hash, coalesce(h.seq, 0) as head_seq,
    coalesce(encode(h.hash, 'hex'), '') as head_hash
from (
    select thread_id from (
        (select thread_id from thread_head
         where thread_id > %(after)s order by thread_id limit %(most)s)
        union
        (select distinct thread_id from ledger_event
         where thread_id > %(after)s order by thread_id limit %(most)s)) as kept
    order by thread_id limit %(most)s) as k
left join thread_head h using (thread_id)
left join lateral (
    select e.seq from ledger_event e
    where e.thread_id = k.thread_id and (%(since)s::timestamptz is null or e.at >= %(since)s)
    order by e.seq limit 1) as f on true
left join lateral (
    select e.seq, e.hash from ledger_event e
    where e.thread_id = k.thread_id and (%(until)s::timestamptz is null or e.at < %(until)s)
    order by e.seq desc limit 1) as l on true
left join ledger_event b on b.thread_id = k.thread_id and b.seq = f.seq - 1
order by k.thread_id

-- name: entries_of_spans
select e.thread_id, e.seq, e.tenant_id, e.user_id, e.ledger_version, e.event, e.turn_id, e.plan_id,
    e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
    e.payload_hash, e.at, e.hash, p.salt, p.body as payload
from unnest(%(threads)s::text[], %(firsts)s::bigint[], %(lasts)s::bigint[])
    with ordinality as s (thread_id, first, last, place)
join ledger_event e on e.thread_id = s.thread_id and e.seq between s.first and s.last
left join ledger_payload p
    on %(payloads)s and p.thread_id = e.thread_id and p.seq = e.seq
order by s.place, e.seq

-- name: lost_heads
select k.thread_id, k.seq, k.hash
from unnest(%(threads)s::text[], %(seqs)s::bigint[], %(hashes)s::text[]) as k (thread_id, seq, hash)
left join ledger_event e using (thread_id, seq)
where encode(e.hash, 'hex') is distinct from k.hash
