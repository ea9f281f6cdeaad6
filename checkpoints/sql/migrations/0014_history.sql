-- A person's own past, to be asked in SQL: views in the schema `history`, and the role that reads
-- them. What it sees is held to one person by row-level security on the tables below the views. Who
-- that is stands in a row and not in a setting: a session can change its own settings at any time.

-- Written as daybook_app, read as daybook_reader, and rolled back: no other transaction ever sees a
-- row, and one that was committed by mistake is of a transaction that is over.
create unlogged table history_scope (
    xact      xid8 primary key default pg_current_xact_id(),
    tenant_id text not null,
    user_id   text not null,
    -- Where LangGraph's store has what is known of the person.
    prefix    text not null
);
alter table history_scope enable row level security;
alter table history_scope force row level security;
create policy of_this_tenant on history_scope
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));
create policy of_this_transaction on history_scope as restrictive
    using (xact = pg_current_xact_id_if_assigned());

-- Beside of_this_tenant. Whoever may act as daybook_app reads the tenant's rows anyway: the owner is
-- a member of both roles, and must not be held to a person whom nobody has named.
do $$
declare t text;
begin
    foreach t in array array['thread', 'ledger_event', 'ledger_payload', 'open_step', 'read_call']
    loop
        execute format(
            'create policy of_this_person on %I as restrictive for select to daybook_reader using ('
            '(select pg_has_role(%L, %L)) or (tenant_id, user_id) = '
            '(select s.tenant_id, s.user_id from history_scope s))', t, 'daybook_app', 'member');
    end loop;
end $$;
create policy of_this_person on store as restrictive for select to daybook_reader using (
    (select pg_has_role('daybook_app', 'member'))
    or (tenant_id, prefix) = (select s.tenant_id, s.prefix from history_scope s));

create schema history;

-- What was encrypted with a key, or erased, is null here.
create function history.clear(body jsonb) returns jsonb
    language sql immutable parallel safe
    return case when body ? 'daybook_sealed' then null else body end;

-- Named by the views alone, so that a person's threads are found by their index.
create view history.own with (security_invoker = true) as
select t.thread_id
from history_scope s join thread t on t.tenant_id = s.tenant_id and t.user_id = s.user_id;

create view history.turns with (security_invoker = true) as
select e.thread_id, e.turn_id, e.at, done.at as done_at
from history.own join ledger_event e using (thread_id)
left join ledger_event done on done.thread_id = e.thread_id
    and done.turn_id = e.turn_id and done.event = 'turn_done'
where e.event = 'received';

create view history.events with (security_invoker = true) as
select e.thread_id, e.seq, e.at, e.event, e.turn_id, e.plan_id, e.op, e.gen,
    coalesce(e.detail ->> 'tool', intended.detail ->> 'tool') as tool, e.author, e.role,
    coalesce(history.clear(p.body) ->> 'reason', e.detail ->> 'reason') as reason
from history.own join ledger_event e using (thread_id)
left join ledger_payload p on p.thread_id = e.thread_id and p.seq = e.seq
left join ledger_event intended on intended.thread_id = e.thread_id
    and intended.plan_id = e.plan_id and intended.op = e.op and intended.gen = e.gen
    and intended.event = 'intended';

-- One row a step, with the state it is in now. A step that is on the work list has its state there;
-- of a settled one its last words tell it.
create view history.effects with (security_invoker = true) as
select i.thread_id, i.plan_id, coalesce((i.detail ->> 'action')::integer, 0) as action,
    i.op, i.gen, i.detail ->> 'tool' as tool,
    coalesce(i.detail ->> 'name', i.detail ->> 'tool') as name,
    coalesce(s.state, stands.state) as state, i.at, stands.settled_at,
    history.clear(p.body) -> 'args' as args, answer.result,
    coalesce(history.clear(said.body) ->> 'reason', stands.reason) as reason
from history.own join ledger_event i using (thread_id)
left join ledger_payload p on p.thread_id = i.thread_id and p.seq = i.seq
left join open_step s on s.tenant_id = i.tenant_id and s.op = i.op and s.gen = i.gen
left join lateral (
    select case
            when bool_or(e.event in ('undo_attempted', 'undone')) then 'undone'
            when bool_or(
                e.event in ('expired', 'rejected', 'withdrawn', 'superseded', 'cancelled'))
            then 'void'
            when (array_agg(e.event order by e.seq desc) filter (
                where e.event in ('acknowledged', 'found', 'happened', 'failed')))[1] = 'failed'
            then 'negative'
            else 'done' end as state,
        case when s.state is null then max(e.at) end as settled_at,
        -- Why it did not go as it was meant to.
        max(e.seq) filter (
            where e.event in ('declined', 'refused', 'in_doubt', 'undo_failed')) as why_seq,
        max(e.detail ->> 'reason') as reason
    from ledger_event e
    where e.thread_id = i.thread_id and e.plan_id = i.plan_id and e.op = i.op and e.gen = i.gen
    ) stands on true
left join ledger_payload said on said.thread_id = i.thread_id and said.seq = stands.why_seq
left join lateral (
    select history.clear(done.body) -> 'result' as result
    from ledger_event e
    join ledger_payload done on done.thread_id = e.thread_id and done.seq = e.seq
    where e.thread_id = i.thread_id and e.plan_id = i.plan_id and e.op = i.op and e.gen = i.gen
      and e.event in ('acknowledged', 'found', 'happened')
    order by e.seq desc
    limit 1) answer on true
where i.event = 'intended';

-- One row a call that a plan carries out; most plans have one.
create view history.plans with (security_invoker = true) as
select o.thread_id, o.turn_id, o.plan_id, a.position::integer - 1 as action, a.about ->> 'tool' as tool,
    coalesce(told.about ->> 'title', replace(a.about ->> 'tool', '_', ' ')) as title,
    (told.about -> 'total' ->> 'amount')::bigint as total,
    told.about -> 'total' ->> 'currency' as currency,
    o.at as opened_at,
    coalesce(
        d.detail -> 'decisions' ->> (a.position::integer - 1),
        case when o.detail ->> 'approval' = 'policy' then 'approved' end) as decision,
    coalesce(d.author, o.author) as decided_by, d.role as decided_as, over.at as ended_at,
    case when over.at is not null then
        closing.seq is null and exists (
            select from ledger_event i
            join ledger_event e on e.thread_id = i.thread_id and e.plan_id = i.plan_id
                and e.op = i.op and e.gen = i.gen
            where i.thread_id = o.thread_id and i.plan_id = o.plan_id and i.event = 'intended'
              and coalesce((i.detail ->> 'action')::integer, 0) = a.position - 1
              and i.detail -> 'pivot' = 'true' and e.event in ('acknowledged', 'found', 'happened'))
        end as succeeded,
    coalesce(history.clear(why.body) ->> 'reason', closing.detail ->> 'reason') as reason
from history.own join ledger_event o using (thread_id)
cross join lateral jsonb_array_elements(o.detail -> 'actions') with ordinality as a (about, position)
left join ledger_payload p on p.thread_id = o.thread_id and p.seq = o.seq
-- What a call comes to stands in the clear beside what is encrypted.
cross join lateral (
    select p.body -> 'actions' -> ((a.position - 1)::text) as about) told
left join ledger_event d on d.thread_id = o.thread_id and d.plan_id = o.plan_id
    and d.event = 'decision'
left join lateral (
    select e.seq, e.detail from ledger_event e
    where e.thread_id = o.thread_id and e.plan_id = o.plan_id and e.event = 'closing'
      and coalesce((e.detail ->> 'action')::integer, 0) = a.position - 1
    order by e.seq
    limit 1) closing on true
left join ledger_payload why on why.thread_id = o.thread_id and why.seq = closing.seq
left join lateral (
    select e.at from ledger_event e
    where e.thread_id = o.thread_id and e.plan_id = o.plan_id
      and e.event in ('succeeded', 'ended')
    order by e.seq
    limit 1) over on true
where o.event = 'opened';

create view history.reads with (security_invoker = true) as
select r.thread_id, r.turn_id, r.handle, r.tool, history.clear(r.args) as args,
    history.clear(r.result) as result, r.cache = 'failed' as refused, r.read_at,
    r.stale_at is not null as superseded
from history.own join read_call r using (thread_id)
where r.cache <> 'hit';

create view history.changes with (security_invoker = true) as
select e.thread_id, e.turn_id, e.at, history.clear(p.body) -> 'event' ->> 'type' as type,
    history.clear(p.body) -> 'event' as args, history.clear(p.body) ->> 'text' as text
from history.own join ledger_event e using (thread_id)
left join ledger_payload p on p.thread_id = e.thread_id and p.seq = e.seq
where e.event = 'applied';

create view history.facts with (security_invoker = true) as
select history.clear(f.value) ->> 'subject' as subject, history.clear(f.value) ->> 'value' as value,
    history.clear(f.value) ->> 'kind' as kind, history.clear(f.value) ->> 'source' as source,
    (history.clear(f.value) ->> 'at')::timestamptz as at
from history_scope s join store f on f.tenant_id = s.tenant_id and f.prefix = s.prefix;

-- The application names the person; the reader reads the views, and of the tables what they show.
grant insert on history_scope to daybook_app;
grant usage on schema public, history to daybook_reader;
grant select on all tables in schema history to daybook_reader;
grant select (xact, tenant_id, user_id, prefix) on history_scope to daybook_reader;
grant select (thread_id, tenant_id, user_id) on thread to daybook_reader;
grant select (
    thread_id, seq, tenant_id, user_id, event, turn_id, plan_id, op, gen, author, role, detail, at)
on ledger_event to daybook_reader;
grant select (thread_id, seq, tenant_id, user_id, body) on ledger_payload to daybook_reader;
grant select (tenant_id, user_id, op, gen, thread_id, state) on open_step to daybook_reader;
grant select (
    thread_id, turn_id, handle, tenant_id, user_id, cache, tool, args, result, read_at, stale_at)
on read_call to daybook_reader;
grant select (tenant_id, prefix, value) on store to daybook_reader;
