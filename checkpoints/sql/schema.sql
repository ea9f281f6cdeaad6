-- The tables of 0.1.0, made once in a schema of their own (checkpoints/migrate.py), which the
-- search_path names while this runs; later releases add files in sql/migrations. The tables of
-- LangGraph's checkpointer and of procrastinate are made before it, in the same schema. Where
-- they can be had, the application runs as the role daybook_app, which owns nothing (rights_app.sql), and
-- a user's own history is read as daybook_reader, which owns one function (rights_reader.sql).
--
-- Every function that names a table keeps the search_path of now: neither another one of a session, nor
-- a temporary table, leads it to a table that is not ours. Security definer functions compare the tenant
-- themselves, because the owner may be a superuser, whom row-level security does not hold.

-- Time --------------------------------------------------------------------------------------------

-- The one clock of all statements and defaults. Only the owner may replace it (tests do, to move
-- time); a setting would not do, because any client may write one.
create function daybook_now() returns timestamptz
    language sql volatile parallel safe
    return clock_timestamp();

-- Which database this is ---------------------------------------------------------------------------

-- On which database each program's part of the ledger was last known to agree with the world
-- (checkpoints/cluster.py). A dump that was restored and a replica that was promoted may lack what was
-- sent since, and are another one.
create table cluster (
    tenant_id   text not null default nullif(current_setting('daybook.tenant', true), ''),
    -- '' for the programs that have no row of their own.
    program     text not null,
    system_id   text not null,
    timeline    text not null,
    database    oid not null,
    ledger      oid not null,
    -- The transaction that wrote this row. Of a row that was copied it is not: a dump was restored.
    written_in  xid8 not null default pg_current_xact_id(),
    -- By the server's own clock: it is compared with what was kept of it, and with no other time.
    accepted_at timestamptz not null default clock_timestamp(),
    accepted_by text not null,
    primary key (tenant_id, program)
);

-- The libraries' tables ---------------------------------------------------------------------------

-- They know no column of ours: the tenant comes from the session. A session without one, or with one
-- that was taken back (an empty text), can write nothing.
do $$
declare t text;
begin
    foreach t in array array['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'] loop
        execute format(
            'alter table %I add column tenant_id text not null '
            'default nullif(current_setting(%L, true), %L)', t, 'daybook.tenant', '');
    end loop;
end $$;

-- Threads and their ledger ------------------------------------------------------------------------

create table thread (
    thread_id     text primary key,
    tenant_id     text not null,
    user_id       text not null,
    -- A thread becomes active when it receives something; workers look for active ones only.
    status        text not null default 'idle'
                  check (status in ('active', 'waiting', 'idle', 'closed')),
    created_at    timestamptz not null default daybook_now(),
    last_activity timestamptz not null default daybook_now(),
    -- Two agents may share a database, and neither can read the other's state. Null: not of one agent.
    domain        text,
    -- An id of the services that the thread deals with. A process that reaches others would find
    -- nothing of what was done there and do it again. Null: the services have no such id.
    world         text
);
create index thread_of_user on thread (tenant_id, user_id, last_activity desc);
create index thread_by_activity on thread (tenant_id, last_activity, thread_id);
create index thread_by_status on thread (tenant_id, domain, status);
-- Workers look for interrupted turns twice a second, over all threads.
create index thread_active on thread (tenant_id, last_activity) where status = 'active';

-- The lock of a thread and the head of its hash chain. A table of its own, because FOR UPDATE on the
-- ledger would need a right that the application does not have.
create table thread_head (
    thread_id text primary key references thread,
    tenant_id text not null,
    user_id   text not null,
    seq       bigint not null default 0,
    hash      bytea not null default '\x',
    open_plan text
);

-- How many threads have a ledger: that one is gone from all tables shows by this alone. It is counted
-- in the transaction that begins a thread, so threads of a tenant are begun one after the other.
create table ledger_total (
    tenant_id text primary key,
    threads   bigint not null
);
create function count_thread() returns trigger
language plpgsql security definer set search_path from current as $$
begin
    insert into ledger_total values (new.tenant_id, 1)
    on conflict (tenant_id) do update set threads = ledger_total.threads + 1;
    return null;
end $$;
create trigger thread_head_is_counted after insert on thread_head
    for each row execute function count_thread();

create table ledger_event (
    thread_id      text not null references thread,
    seq            bigint not null check (seq > 0),
    tenant_id      text not null,
    user_id        text not null,
    -- The version of the row's form (state/ledger/entry.py).
    ledger_version smallint not null,
    event          text not null check (event in (
        'received', 'decided', 'applied', 'turn_done',
        'opened', 'approval', 'decision', 'closing', 'succeeded', 'ended',
        'intended', 'expired', 'rejected', 'withdrawn', 'superseded', 'cancelled',
        'attempted', 'acknowledged', 'found', 'verified', 'unanswered', 'refused', 'declined',
        'absent', 'unreachable', 'failed', 'in_doubt', 'happened', 'not_happened',
        'undo_attempted', 'undo_failed', 'undone', 'undo_stuck',
        'contradicted')),
    turn_id        text,
    plan_id        text,
    op             text,
    gen            integer check (gen > 0),
    attempt        integer check (attempt > 0),
    worker         text,
    author         text,
    role           text,
    deadline_at    timestamptz,
    settle_at      timestamptz,
    detail         jsonb not null,
    payload_hash   bytea,
    at             timestamptz not null,
    hash           bytea not null,
    constraint ledger_event_seq primary key (thread_id, seq),
    constraint step_is_op_and_gen check ((op is null) = (gen is null)),
    constraint claim_has_deadlines check (
        event not in ('attempted', 'undo_attempted')
        or (attempt is not null and deadline_at is not null and settle_at is not null))
);
-- Per tenant and not per thread: a copied thread meets the operation and gets its record.
create unique index one_intent on ledger_event (tenant_id, op, gen) where event = 'intended';
create unique index one_attempt on ledger_event (tenant_id, op, gen, attempt)
    where event = 'attempted';
create unique index one_undo_attempt on ledger_event (tenant_id, op, gen, attempt)
    where event = 'undo_attempted';
-- A plan is asked about once, so its id is the id of the question.
create unique index one_decision on ledger_event (tenant_id, plan_id) where event = 'decision';
-- Where it takes several people, each of them counts once.
create unique index one_approval on ledger_event (tenant_id, plan_id, author) where event = 'approval';
create unique index one_turn on ledger_event (thread_id, turn_id) where event = 'received';
create unique index one_end_of_turn on ledger_event (thread_id, turn_id) where event = 'turn_done';
create unique index one_model_decision
    on ledger_event (thread_id, turn_id, (detail ->> 'ordinal'), (detail ->> 'prompt'))
    where event = 'decided';
create index decision_of_message on ledger_event (thread_id, (detail ->> 'message'))
    where event = 'decided' and detail ? 'message';
create unique index one_application on ledger_event (thread_id, turn_id, (detail ->> 'call'))
    where event = 'applied';
create index ledger_event_of_plan on ledger_event (thread_id, plan_id, seq)
    where plan_id is not null;
create index ledger_event_failed on ledger_event (tenant_id, at desc)
where event in (
    'failed', 'in_doubt', 'undone', 'undo_stuck',
    'expired', 'rejected', 'withdrawn', 'superseded', 'cancelled');
create index ledger_event_intended on ledger_event (tenant_id, at desc, thread_id desc, seq desc)
where event = 'intended';
-- For metrics. Rows come in the order of their time, so an index of ranges is enough and cheap to keep.
create index ledger_event_by_time on ledger_event using brin (at) with (autosummarize = on);

-- Arguments, results and free text. Erasable per user; the chained event holds the salted hash.
create table ledger_payload (
    thread_id text not null,
    seq       bigint not null,
    tenant_id text not null,
    user_id   text not null,
    salt      bytea not null,
    body      jsonb not null,
    primary key (thread_id, seq),
    foreign key (thread_id, seq) references ledger_event
);

-- Append-only for everybody, the owner too. For each statement: one that would change no row is
-- refused as well.
create function refuse_change_of_ledger() returns trigger language plpgsql as $$
begin
    raise exception 'the ledger is append-only: % on % is refused', tg_op, tg_table_name
        using errcode = 'insufficient_privilege';
end $$;
create trigger ledger_event_is_append_only before update or delete or truncate on ledger_event
    for each statement execute function refuse_change_of_ledger();

-- The work list: a projection of the events, for whoever looks for abandoned work.
create table open_step (
    tenant_id  text not null,
    op         text not null,
    gen        integer not null,
    thread_id  text not null references thread,
    plan_id    text not null,
    tool       text not null,
    state      text not null check (state in (
        'intended', 'unknown', 'in_doubt', 'done', 'undoing', 'stuck',
        'undone', 'negative', 'void')),
    due_at     timestamptz,
    updated_at timestamptz not null default daybook_now(),
    user_id    text not null,
    -- The role that is to approve the plan, on the first of its steps: a question is one row.
    asks       text,
    primary key (tenant_id, op, gen)
);
create index open_step_of_thread on open_step (thread_id);
create index open_step_due on open_step (tenant_id, due_at) where due_at is not null;
create index open_step_asks on open_step (tenant_id, updated_at, thread_id) include (asks)
    where asks is not null;
create index open_step_asks_of_user on open_step (tenant_id, user_id, updated_at)
    where asks is not null;
create index open_step_doubted on open_step (tenant_id, updated_at, thread_id)
    where state in ('in_doubt', 'stuck');
create index open_step_by_time on open_step (tenant_id, updated_at, thread_id);
create index open_step_by_state on open_step (tenant_id, tool, state, updated_at);

-- Which step an effect belongs to, by the provider's reference: never to two steps. Hashes, so that
-- nothing of a user is left in it when their data is erased.
create table effect_reference (
    tenant_id text not null,
    domain    text not null,
    world     text not null,
    tool      text not null,
    reference bytea not null,
    op        text not null,
    gen       integer not null,
    constraint one_reference primary key (tenant_id, domain, world, tool, reference)
);

create index effect_reference_found on effect_reference (tenant_id, reference);

-- Events that providers send by themselves, each once: evidence beside the results of look-ups.
create table outside_event (
    tenant_id   text not null,
    source      text not null,
    event_id    text not null,
    about       text not null,
    reference   text not null,
    newness     text not null,
    facts       jsonb not null,
    thread_id   text references thread,
    user_id     text,
    received_at timestamptz not null default daybook_now(),
    taken_at    timestamptz,
    constraint told_once primary key (tenant_id, source, event_id)
);
create index outside_event_newest on outside_event (tenant_id, source, about, newness desc);
create index outside_event_of_reference on outside_event (tenant_id, source, reference);
create index outside_event_left on outside_event (tenant_id, received_at) where taken_at is null;
create index outside_event_of_thread on outside_event (thread_id) where thread_id is not null;

-- The head moves forward only, and only to an entry that is in the ledger.
create function move_head(of_thread text, to_seq bigint, to_hash bytea, plan text) returns void
language plpgsql security definer set search_path from current as $$
begin
    update thread_head h set seq = to_seq, hash = to_hash, open_plan = plan
    where h.thread_id = of_thread and h.tenant_id = current_setting('daybook.tenant', true)
      and h.seq < to_seq and exists (
          select from ledger_event e
          where e.thread_id = of_thread and e.seq = to_seq and e.hash = to_hash);
    if not found then
        raise exception 'the head of the thread % moves to its newest entry alone', of_thread
            using errcode = 'insufficient_privilege';
    end if;
end $$;

-- Whatever one page of the ledger writes: entries, payloads, the work list, the head and the thread's
-- status, in one round trip. Not security definer: it may do no more than its caller.
create function append_page(
    of_thread text, of_tenant text, of_user text, entries jsonb, payload_seqs bigint[],
    salts bytea[], bodies jsonb[], gone jsonb, listed jsonb, to_seq bigint, to_hash bytea,
    plan text, is_active boolean, stands text
) returns void language plpgsql set search_path from current as $$
begin
    insert into ledger_event (
        thread_id, seq, tenant_id, user_id, ledger_version, event, turn_id, plan_id, op, gen,
        attempt, worker, author, role, deadline_at, settle_at, detail, payload_hash, at, hash)
    select
        of_thread, e.seq, of_tenant, of_user, e.ledger_version, e.event, e.turn_id, e.plan_id,
        e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
        e.payload_hash, e.at, e.hash
    from jsonb_populate_recordset(null::ledger_event, entries) e
    order by e.seq;

    if cardinality(payload_seqs) > 0 then
        insert into ledger_payload (thread_id, seq, tenant_id, user_id, salt, body)
        select of_thread, p.seq, of_tenant, of_user, p.salt, p.body
        from unnest(payload_seqs, salts, bodies) p (seq, salt, body);
    end if;

    if gone <> '[]' then
        delete from open_step s
        using jsonb_to_recordset(gone) g (op text, gen integer)
        where s.tenant_id = of_tenant and s.op = g.op and s.gen = g.gen;
    end if;
    if listed <> '[]' then
        insert into open_step (
            tenant_id, user_id, op, gen, thread_id, plan_id, tool, state, due_at, asks)
        select of_tenant, of_user, l.op, l.gen, of_thread, l.plan_id, l.tool, l.state, l.due_at,
            l.asks
        from jsonb_populate_recordset(null::open_step, listed) l
        on conflict (tenant_id, op, gen) do update
        set state = excluded.state, due_at = excluded.due_at, asks = excluded.asks,
            updated_at = daybook_now();
    end if;

    perform move_head(of_thread, to_seq, to_hash, plan);

    if is_active then
        update thread t
        set last_activity = daybook_now(),
            -- The end of a plan says nothing of its turn, which goes on: were its run to die now, a
            -- worker has to come for it. Outside a turn a user may still be asked about a doubt.
            status = case
                when stands = 'idle' and 'received' = (
                    select event from ledger_event e
                    where e.thread_id = t.thread_id and e.event in ('received', 'turn_done')
                    order by e.seq desc limit 1)
                then 'active'
                when stands = 'idle' and exists (
                    select from open_step s
                    where s.thread_id = t.thread_id and s.state in ('in_doubt', 'stuck'))
                then 'waiting'
                else coalesce(stands, t.status)
            end
        where t.thread_id = of_thread and t.status <> 'closed';
    end if;
end $$;

-- Assigns an event to a thread. The user is the thread's, and an event moves from no thread to another.
create function own_event(of_source text, of_event text, of_thread text, is_taken boolean) returns void
language plpgsql security definer set search_path from current as $$
begin
    update outside_event e
    set thread_id = t.thread_id, user_id = t.user_id,
        taken_at = coalesce(e.taken_at, case when is_taken then daybook_now() end)
    from thread t
    where t.thread_id = of_thread and t.tenant_id = current_setting('daybook.tenant', true)
      and e.tenant_id = t.tenant_id and e.source = of_source and e.event_id = of_event
      and (e.thread_id is null or e.thread_id = t.thread_id);
    if not found then
        raise exception 'the event % of % is of another thread, or there is none', of_event, of_source
            using errcode = 'insufficient_privilege';
    end if;
end $$;

-- Notifications -----------------------------------------------------------------------------------

-- Which programs have somebody to notify, and until when: a worker that has routes renews it. Of other
-- programs nothing is noted.
create table notification_switch (
    tenant_id text not null,
    program   text not null,
    until     timestamptz not null,
    primary key (tenant_id, program)
);

-- The outbox: that a question waits or is over, noted in the transaction that made it so. It holds ids and
-- no words, and proves nothing: the work list says what waits.
create table notification (
    notification_id uuid primary key default gen_random_uuid(),
    seq             bigint generated always as identity,
    tenant_id       text not null,
    kind            text not null check (kind in ('question', 'doubt', 'settled', 'expired')),
    program         text,
    thread_id       text not null references thread,
    user_id         text not null,
    plan_id         text not null,
    -- The plan that is to be decided, or the step in doubt.
    question        text not null,
    tool            text not null,
    -- The least that somebody must be to answer.
    role            text not null,
    deadline        timestamptz,
    outcome         text not null default '',
    author          text,
    at              timestamptz not null default daybook_now(),
    routed_at       timestamptz
);
create index notification_of_question on notification (tenant_id, question, seq);
create index notification_of_thread on notification (thread_id);
create index notification_unrouted on notification (tenant_id, seq) where routed_at is null;
create index notification_by_time on notification (tenant_id, at);

-- What is sent of it by which route; reminders and escalations are due later.
create table notification_delivery (
    -- By which receivers tell a second delivery of the same.
    delivery_id     uuid primary key default gen_random_uuid(),
    tenant_id       text not null,
    notification_id uuid not null references notification on delete cascade,
    route           text not null,
    kind            text not null check (
        kind in ('question', 'doubt', 'settled', 'expired', 'reminder', 'escalation')),
    -- Over: what it was about no longer waited. Dead: it failed too often.
    state           text not null default 'pending'
                    check (state in ('pending', 'sent', 'over', 'dead')),
    tries           integer not null default 0,
    due_at          timestamptz not null,
    lease_until     timestamptz not null default '-infinity',
    sent_at         timestamptz,
    -- By what name the receiver knows it.
    reference       text,
    error           text not null default '',
    constraint one_delivery unique (notification_id, route, kind)
);
create index notification_delivery_due on notification_delivery (tenant_id, due_at)
    where state = 'pending';
create index notification_delivery_dead on notification_delivery (tenant_id, route)
    where state = 'dead';

-- Requests that were answered, each once, by the hash of their signature.
create table signed_request (
    tenant_id text not null,
    digest    bytea not null,
    at        timestamptz not null default daybook_now(),
    primary key (tenant_id, digest)
);

-- Who of the staff has the inbox before them, and until when that was so; the page says it.
create table presence (
    tenant_id text not null,
    user_id   text not null,
    role      text not null,
    seen_at   timestamptz not null default daybook_now(),
    primary key (tenant_id, user_id)
);

create function note_question(step open_step, named text, is_doubt boolean, waits boolean) returns void
language plpgsql set search_path from current as $$
declare
    of_program text;
    before     notification;
    last       ledger_event;
begin
    select t.domain into of_program from thread t where t.thread_id = step.thread_id;
    if not exists (
        select from notification_switch s
        where s.tenant_id = step.tenant_id and s.program = coalesce(of_program, s.program)
          and s.until > daybook_now())
    then
        return;
    end if;
    select * into before from notification n
    where n.tenant_id = step.tenant_id and n.question = named
    order by n.seq desc limit 1;
    if waits = coalesce(before.kind in ('question', 'doubt'), false) then
        return;
    end if;
    select * into last from ledger_event e
    where e.thread_id = step.thread_id and e.plan_id = step.plan_id and case
        when waits then e.event = 'opened'
        when is_doubt then e.op = step.op and e.gen = step.gen
        else e.event = 'decision' end
    order by e.seq desc limit 1;
    -- A row that is only written anew, or erased, ends nothing.
    if not waits and coalesce(last.event, 'in_doubt') in ('in_doubt', 'undo_stuck') then
        return;
    end if;
    insert into notification (
        tenant_id, kind, program, thread_id, user_id, plan_id, question, tool, role, deadline, outcome,
        author)
    select step.tenant_id,
        case when waits and is_doubt then 'doubt' when waits then 'question'
            when outcome = 'expired' then 'expired' else 'settled' end,
        of_program, step.thread_id, step.user_id, step.plan_id, named, step.tool,
        case when not waits then before.role when not is_doubt then step.asks
            else coalesce(last.detail -> 'needs' ->> 'doubt', 'customer') end,
        case when waits and not is_doubt then step.due_at end, outcome,
        case when not waits then last.author end
    from (select case
        when waits then ''
        when is_doubt then last.event
        else coalesce(last.detail -> 'decisions' ->> 0, 'expired') end as outcome) it;
end $$;

create function note_change_of_open_step() returns trigger
language plpgsql set search_path from current as $$
declare
    step   open_step;
    asked  boolean := tg_op <> 'INSERT' and old.asks is not null;
    asks   boolean := tg_op <> 'DELETE' and new.asks is not null;
    doubted boolean := tg_op <> 'INSERT' and old.state in ('in_doubt', 'stuck');
    doubts boolean := tg_op <> 'DELETE' and new.state in ('in_doubt', 'stuck');
begin
    if tg_op = 'DELETE' then
        step := old;
    else
        step := new;
    end if;
    if asked <> asks then
        perform note_question(step, step.plan_id, false, asks);
    end if;
    if doubted <> doubts then
        perform note_question(step, step.op || '/' || step.gen, true, doubts);
    end if;
    return null;
end $$;
-- Whoever writes the work list notes it, whichever way they came. Most rows of it ask nobody.
create trigger open_step_asks_is_noted after insert on open_step for each row
    when (new.asks is not null or new.state in ('in_doubt', 'stuck'))
    execute function note_change_of_open_step();
create trigger open_step_change_is_noted after update on open_step for each row
    when ((old.asks is null) <> (new.asks is null)
        or (old.state in ('in_doubt', 'stuck')) <> (new.state in ('in_doubt', 'stuck')))
    execute function note_change_of_open_step();
create trigger open_step_end_is_noted after delete on open_step for each row
    when (old.asks is not null or old.state in ('in_doubt', 'stuck'))
    execute function note_change_of_open_step();

-- Reads, prompts, spans ---------------------------------------------------------------------------

-- Reads are no part of the chain: they are cached per thread by tool and arguments.
create table read_call (
    thread_id   text not null references thread,
    turn_id     text not null,
    call        text not null,
    tenant_id   text not null,
    user_id     text not null,
    handle      integer not null,
    cache       text not null check (cache in ('hit', 'miss', 'uncached', 'failed')),
    tool        text not null,
    args        jsonb not null,
    args_hash   text not null,
    result      jsonb,
    hidden      text[] not null default '{}',
    tags        text[] not null default '{}',
    read_at     timestamptz not null default daybook_now(),
    expires_at  timestamptz,
    stale_at    timestamptz,
    primary key (thread_id, turn_id, call),
    constraint a_hit_points_at_its_miss check ((cache = 'hit') = (result is null))
);
create index read_call_cached on read_call (thread_id, tool, args_hash) where cache = 'miss';
create index read_call_of_thread on read_call (thread_id, handle);
create index read_call_stale on read_call (thread_id) where stale_at is not null;

-- The progress document that each epoch of a thread's prompt began with.
create table progress (
    thread_id  text not null references thread,
    version    integer not null check (version > 0),
    tenant_id  text not null,
    user_id    text not null,
    -- Which epoch it began, on which branch of the thread.
    epoch      integer not null,
    covers     bigint not null,
    last       bigint not null,
    why        text not null,
    body       jsonb not null,
    at         timestamptz not null default daybook_now(),
    primary key (thread_id, version),
    constraint one_document unique (thread_id, epoch, covers, last)
);

-- A runner that lost its lock while its thread was erased must not write personal data back.
create function refuse_row_of_closed_thread() returns trigger
language plpgsql set search_path from current as $$
begin
    if exists (select from thread where thread_id = new.thread_id and status = 'closed') then
        raise exception 'the thread % is closed: what it held was erased', new.thread_id
            using errcode = 'insufficient_privilege';
    end if;
    return new;
end $$;
do $$
declare t text;
begin
    foreach t in array array[
        'read_call', 'progress', 'checkpoints', 'checkpoint_blobs', 'checkpoint_writes']
    loop
        execute format(
            'create trigger %I before insert on %I for each row '
            'execute function refuse_row_of_closed_thread()', t || '_of_open_thread', t);
    end loop;
end $$;

-- Runners -----------------------------------------------------------------------------------------

-- The fencing token of a thread (its epoch grows with each run) and its lease.
create table runner (
    thread_id   text primary key references thread,
    tenant_id   text not null,
    user_id     text not null,
    epoch       bigint not null default 0,
    -- The application_name of the sessions of the runner's process.
    process     text,
    -- Null while nobody runs it. A runner that died or is suspended leaves its lease behind.
    lease_until timestamptz,
    -- How often a worker came for it since a run of it ended well, and when it comes again.
    tries       integer not null default 0,
    retry_at    timestamptz not null default '-infinity'
);
create index runner_at_work on runner (thread_id) where lease_until is not null;
create index runner_tried on runner (tenant_id, thread_id) where tries > 0;

-- Called within the transaction of the write that it guards: the row stays locked until that commits,
-- and whoever takes the thread over waits for it.
create function refuse_overtaken_runner(of_thread text, of_epoch bigint) returns void
language plpgsql set search_path from current as $$
begin
    perform from runner where thread_id = of_thread and epoch = of_epoch for share;
    if not found then
        raise exception 'the thread % was taken over by another runner', of_thread
            using errcode = 'DB001';
    end if;
end $$;

-- Who holds a thread, and until when: a holder may be suspended at any instant. A thread may be held
-- before it has a row. Unlogged: it is gone when the server has crashed, as the sessions are.
create unlogged table thread_lease (
    tenant_id text not null,
    thread_id text not null,
    process   text not null,
    until     timestamptz not null,
    primary key (tenant_id, thread_id)
);

-- Whether a process lives, by the sessions that bear its name; some share theirs with others.
create function has_ended(process text) returns boolean language sql stable
return not starts_with(process, 'daybook-shares-') and not exists (
    select from pg_stat_activity where application_name = process and datname = current_database());

-- Memory across threads ---------------------------------------------------------------------------

-- What is known of users, one row a subject.
create table fact (
    tenant_id text not null,
    user_id   text not null,
    -- The subject; where there is a key, a blind index of it.
    found_by  text not null,
    value     jsonb not null,
    primary key (tenant_id, user_id, found_by)
);

-- Of a tenant and of no user: failures counted by their code.
create table lesson (
    tenant_id  text not null,
    tool       text not null,
    flow       text not null,
    -- A code such as out_of_stock or declined:card_declined: no sentence, no id.
    error      text not null check (length(error) <= 60
        and error ~ '^(declined:)?[a-z]+(_([a-z]+|[0-9]{1,3}))*$'),
    count      integer not null default 0 check (count >= 0),
    helped     integer not null default 0 check (helped >= 0),
    missed     integer not null default 0 check (missed between 0 and count),
    -- The last few of {"thread_id", "turn_id", "call"}: none is counted twice.
    evidence   jsonb not null default '[]',
    last_at    timestamptz not null default daybook_now(),
    -- A lesson that does not help is retired and never deleted: it would be learnt again.
    retired_at timestamptz,
    -- Of how many users it was learnt: shown from several on.
    people     integer not null default 0 check (people >= 0),
    primary key (tenant_id, tool, flow, error)
);

-- Access ------------------------------------------------------------------------------------------

-- Of a token's secret only the SHA-256 is stored.
create table token (
    token_id   text primary key,
    tenant_id  text not null,
    user_id    text not null,
    role       text not null check (role in ('customer', 'clerk', 'operator')),
    digest     bytea not null check (length(digest) = 32),
    note       text not null default '',
    made_at    timestamptz not null default daybook_now(),
    expires_at timestamptz not null,
    -- Revoked and never deleted: a server without any token asks for none.
    revoked_at timestamptz
);
create index token_of_user on token (tenant_id, user_id);

-- Who stands in for whom, as what, and until when. Ended and never deleted but with its people: it says by
-- what right somebody approved.
create table delegation (
    delegation_id bigint generated always as identity primary key,
    tenant_id     text not null,
    user_id       text not null,
    role          text not null check (role in ('clerk', 'operator')),
    to_user       text not null check (to_user <> user_id),
    until         timestamptz not null,
    made_at       timestamptz not null default daybook_now(),
    made_by       text not null,
    ended_at      timestamptz
);
create index delegation_to_user on delegation (tenant_id, to_user) where ended_at is null;

-- What somebody is now, of themselves and for others.
create function standing_in(of_user text, own_role text, out role text, out stands_for text[])
language sql stable set search_path from current as $$
    select roles[max(place)], coalesce(array_agg(user_id order by user_id) filter (where user_id is not null), '{}')
    from (select array['customer', 'clerk', 'operator'] as roles) it cross join lateral (
        select array_position(roles, own_role) as place, null as user_id
        union all
        select array_position(roles, d.role), d.user_id
        from delegation d
        where d.tenant_id = current_setting('daybook.tenant', true) and d.to_user = of_user
          and d.ended_at is null and d.until > daybook_now()) known
    group by roles
$$;

-- Who is signed in at the console. Of its secret only the SHA-256 is stored.
create table session (
    digest     bytea primary key check (length(digest) = 32),
    tenant_id  text not null,
    user_id    text not null,
    role       text not null check (role in ('customer', 'clerk', 'operator')),
    token_id   text not null references token,
    begun_at   timestamptz not null default daybook_now(),
    expires_at timestamptz not null,
    ended_at   timestamptz
);
create index session_of_token on session (token_id);
create index session_of_user on session (tenant_id, user_id);

-- Sessions are begun with a valid token only.
create function begin_session(
    of_token text, by_digest bytea, session_digest bytea, lifetime interval) returns boolean
language plpgsql security definer set search_path from current as $$
begin
    delete from session s
    where s.tenant_id = current_setting('daybook.tenant', true)
      and s.expires_at < daybook_now() - interval '1 day';
    insert into session (digest, tenant_id, user_id, role, token_id, expires_at)
    select session_digest, t.tenant_id, t.user_id, t.role, t.token_id,
        least(daybook_now() + lifetime, t.expires_at)
    from token t
    where t.tenant_id = current_setting('daybook.tenant', true)
      and t.token_id = of_token and t.digest = by_digest
      and t.revoked_at is null and t.expires_at > daybook_now();
    return found;
end $$;

create function end_session(session_digest bytea) returns void
language sql security definer set search_path from current as $$
    update session set ended_at = coalesce(ended_at, daybook_now())
    where tenant_id = current_setting('daybook.tenant', true) and digest = session_digest;
$$;

-- What an operator says about a tool. No row: it is on and has no limit.
-- The effects that programs with a ledger of their own have declared, for whoever operates them.
create table declared_effect (
    tenant_id   text not null,
    program     text not null,
    tool        text not null,
    digest      text not null,
    about       jsonb not null,
    declared_at timestamptz not null default daybook_now(),
    primary key (tenant_id, program, tool)
);

create table tool_rule (
    tenant_id   text not null,
    tool        text not null,
    is_off      boolean not null default false,
    why         text not null default '',
    switched_by text,
    switched_at timestamptz,
    -- A token bucket: `most` tokens at first and at most, and all of them come back in `seconds`.
    most        integer check (most > 0),
    seconds     integer check (seconds > 0),
    tokens      integer check (tokens between 0 and most),
    refilled_at timestamptz,
    limited_by  text,
    limited_at  timestamptz,
    primary key (tenant_id, tool),
    constraint a_limit_is_whole check (num_nulls(most, seconds, tokens, refilled_at) in (0, 4)),
    constraint off_says_why check (not is_off or why <> '')
);

-- With which keys a tenant's rows are encrypted: of each key a word that only it opens.
create table encryption (
    tenant_id text not null,
    begun_at  timestamptz not null default daybook_now(),
    key_id    text not null,
    primary key (tenant_id, key_id)
);

-- A user's own history, by SQL --------------------------------------------------------------------

-- Views; row-level security on the tables below holds the reader to one user.
-- Who that is stands in a row and not in a setting, because a session can change its own settings. The
-- row is written as daybook_app, read as daybook_reader and rolled back, so no other transaction sees
-- it, and one that was committed by mistake is of a transaction that is over.
create unlogged table history_scope (
    xact      xid8 primary key default pg_current_xact_id(),
    tenant_id text not null,
    user_id   text not null
);

-- Refused rather than null: null would look as if there were nothing.
create function history_clear(body jsonb) returns jsonb
language plpgsql immutable parallel safe as $$
begin
    if body ? 'daybook_sealed' then
        raise exception 'this is encrypted' using errcode = 'DB002';
    end if;
    return body;
end $$;

-- Named by the other views, so that a user's threads are found by their index.
create view own_threads with (security_invoker = true) as
select t.thread_id
from history_scope s join thread t on t.tenant_id = s.tenant_id and t.user_id = s.user_id;

create view turns with (security_invoker = true) as
select e.thread_id, e.turn_id, e.at, done.at as done_at
from own_threads join ledger_event e using (thread_id)
left join ledger_event done on done.thread_id = e.thread_id
    and done.turn_id = e.turn_id and done.event = 'turn_done'
where e.event = 'received';

create view events with (security_invoker = true) as
select e.thread_id, e.seq, e.at, e.event, e.turn_id, e.plan_id, e.op, e.gen,
    coalesce(e.detail ->> 'tool', intended.detail ->> 'tool') as tool, e.author, e.role,
    coalesce(history_clear(p.body) ->> 'reason', e.detail ->> 'reason') as reason
from own_threads join ledger_event e using (thread_id)
left join ledger_payload p on p.thread_id = e.thread_id and p.seq = e.seq
left join ledger_event intended on intended.thread_id = e.thread_id
    and intended.plan_id = e.plan_id and intended.op = e.op and intended.gen = e.gen
    and intended.event = 'intended';

-- One row a step, with the state it is in now. A step that is on the work list has its state there;
-- of a settled one its last words tell it.
create view effects with (security_invoker = true) as
select i.thread_id, i.plan_id, coalesce((i.detail ->> 'action')::integer, 0) as action,
    i.op, i.gen, i.detail ->> 'tool' as tool,
    coalesce(i.detail ->> 'name', i.detail ->> 'tool') as name,
    coalesce(s.state, stands.state) as state, i.at, stands.settled_at,
    history_clear(p.body) -> 'args' as args, answer.result,
    coalesce(history_clear(said.body) ->> 'reason', stands.reason) as reason
from own_threads join ledger_event i using (thread_id)
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
    select history_clear(done.body) -> 'result' as result
    from ledger_event e
    join ledger_payload done on done.thread_id = e.thread_id and done.seq = e.seq
    where e.thread_id = i.thread_id and e.plan_id = i.plan_id and e.op = i.op and e.gen = i.gen
      and e.event in ('acknowledged', 'found', 'happened')
    order by e.seq desc
    limit 1) answer on true
where i.event = 'intended';

-- One row a call that a plan carries out; most plans have one.
create view plans with (security_invoker = true) as
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
    coalesce(history_clear(why.body) ->> 'reason', closing.detail ->> 'reason') as reason
from own_threads join ledger_event o using (thread_id)
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

create view reads with (security_invoker = true) as
select r.thread_id, r.turn_id, r.handle, r.tool, history_clear(r.args) as args,
    history_clear(r.result) as result, r.cache = 'failed' as refused, r.read_at,
    r.stale_at is not null as superseded
from own_threads join read_call r using (thread_id)
where r.cache <> 'hit';

create view changes with (security_invoker = true) as
select e.thread_id, e.turn_id, e.at, history_clear(p.body) -> 'event' ->> 'type' as type,
    history_clear(p.body) -> 'event' as args, history_clear(p.body) ->> 'text' as text
from own_threads join ledger_event e using (thread_id)
left join ledger_payload p on p.thread_id = e.thread_id and p.seq = e.seq
where e.event = 'applied';

create view facts with (security_invoker = true) as
select history_clear(f.value) ->> 'subject' as subject, history_clear(f.value) ->> 'value' as value,
    history_clear(f.value) ->> 'kind' as kind, history_clear(f.value) ->> 'source' as source,
    (history_clear(f.value) ->> 'at')::timestamptz as at
from history_scope s join fact f on f.tenant_id = s.tenant_id and f.user_id = s.user_id;

-- A dump that is restored into the same database makes its tables anew, with other oids. As the owner,
-- for whoever asks: some may read of the cluster what others may not, and would see another one.
create function cluster_now(
    out system_id text, out timeline text, out database oid, out ledger oid
) language plpgsql stable security definer set search_path from current as $$
begin
    ledger := 'ledger_event'::regclass;
    database := (select d.oid from pg_database d where d.datname = current_database());
    system_id := (select c.system_identifier from pg_control_system() c);
    -- A standby writes no log of its own, and nothing is sent by it.
    timeline := case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8)
        else (select upper(lpad(to_hex(c.timeline_id), 8, '0')) from pg_control_checkpoint() c) end;
exception
    -- Some hosts show nobody the cluster.
    when insufficient_privilege then
        system_id := '';
        timeline := '';
end $$;

-- By what a program of this tenant was last accepted. The tenant is named, for row-level security lets
-- superusers see all.
create function accepted(
    of_program text,
    out accepted_at timestamptz, out is_here boolean, out is_on boolean
) language sql stable set search_path from current as $$
    select c.accepted_at,
        (c.system_id, c.database, c.ledger) = (n.system_id, n.database, n.ledger)
            and c.xmin = c.written_in::xid,
        c.timeline = n.timeline
    from cluster c, cluster_now() n
    where c.tenant_id = current_setting('daybook.tenant') and c.program in ('', of_program)
    order by c.program = '' limit 1
$$;

-- Nowhere else where nobody has said which database it is. `marks` are lists of entries, by program, that
-- a process knows to have been committed: where one is missing, the whole server was put back, by its
-- files. A mark says nothing where the program was accepted since.
create function is_elsewhere(of_program text, ignores_timeline boolean, marks jsonb) returns boolean
language sql stable set search_path from current as $$
    select case when a.accepted_at is null then marks ? of_program
        else not a.is_here
            or not a.is_on and not ignores_timeline
            or exists (
                select from jsonb_array_elements(marks -> of_program) mark
                where a.accepted_at < (mark->>'accepted_at')::timestamptz
                   or a.accepted_at = (mark->>'accepted_at')::timestamptz and not exists (
                       select from ledger_event e
                       where e.thread_id = mark->>'thread_id' and e.seq = (mark->>'seq')::bigint
                         and e.hash = decode(mark->>'hash', 'hex')))
        end
    from accepted(of_program) a
$$;

-- For one program, or with '' for all. Once every program that has threads is accepted, all are.
create function accept_cluster(by_whom text, of_program text, marks jsonb) returns void
language plpgsql set search_path from current as $$
begin
    insert into cluster (program, system_id, timeline, database, ledger, accepted_by)
    select of_program, n.system_id, n.timeline, n.database, n.ledger, by_whom from cluster_now() n
    on conflict (tenant_id, program) do update
    set system_id = excluded.system_id, timeline = excluded.timeline, database = excluded.database,
        ledger = excluded.ledger, written_in = excluded.written_in,
        -- Also where the server's clock went back: later than what was kept of the one before.
        accepted_at = greatest(excluded.accepted_at, cluster.accepted_at + interval '1 microsecond'),
        accepted_by = excluded.accepted_by;
    if of_program = '' then
        delete from cluster where tenant_id = current_setting('daybook.tenant') and program <> '';
    elsif not exists (
        select from (
            select distinct domain from thread
            where tenant_id = current_setting('daybook.tenant') and domain is not null) t
        where is_elsewhere(t.domain, false, marks - of_program)) then
        perform accept_cluster(by_whom, '', null);
    end if;
end $$;

-- Also for who owns nothing: the first process of a tenant takes the database for its own.
create function begin_cluster() returns void
language plpgsql security definer set search_path from current as $$
begin
    if not exists (select from cluster where tenant_id = current_setting('daybook.tenant')) then
        perform accept_cluster('daybook', '', null);
    end if;
end $$;

-- What adds up --------------------------------------------------------------------------------------

-- What a step takes of a limit (state/people/spending.py), written with the intent of the step. It
-- counts until the step is known to have had no effect, and again where late evidence shows one.
create table spending (
    tenant_id  text not null,
    limit_name text not null,
    -- For whom or what it is counted: a user, nothing, or a digest of an argument.
    whose      text not null,
    op         text not null,
    gen        integer not null,
    currency   text,
    cents      bigint,
    counts     boolean not null default true,
    at         timestamptz not null default daybook_now(),
    primary key (tenant_id, limit_name, op, gen)
);
create index spending_counts on spending (tenant_id, limit_name, whose, at) where counts;
create index spending_of_step on spending (tenant_id, op, gen);

create function count_spending() returns trigger
language plpgsql set search_path from current as $$
begin
    -- What is shown of an effect after its undo changes nothing.
    update spending set counts = new.event in ('acknowledged', 'found', 'verified', 'happened')
    where tenant_id = new.tenant_id and op = new.op and gen = new.gen
      and not exists (
          select from ledger_event e
          where e.thread_id = new.thread_id and e.plan_id = new.plan_id and e.op = new.op and e.gen = new.gen
            and e.event = 'undone' and e.seq < new.seq);
    return null;
end $$;
create trigger spending_follows_its_step after insert on ledger_event
    for each row when (new.op is not null and new.event in (
        'acknowledged', 'found', 'verified', 'happened', 'failed', 'undone',
        'expired', 'rejected', 'withdrawn', 'superseded', 'cancelled'))
    execute function count_spending();

-- What each call of a model took (state/people/budget.py), written with the decision that it gave.
create table model_usage (
    tenant_id    text not null,
    call_id      text not null,
    -- Both are empty where the user was forgotten.
    thread_id    text not null,
    user_id      text not null,
    model        text not null,
    input        bigint not null check (input >= 0),
    -- Of the input.
    cached       bigint not null check (cached between 0 and input),
    output       bigint not null check (output >= 0),
    is_estimated boolean not null,
    at           timestamptz not null default daybook_now(),
    primary key (tenant_id, call_id)
);
create index model_usage_of_thread on model_usage (tenant_id, thread_id, at);
create index model_usage_of_user on model_usage (tenant_id, user_id, at);
create index model_usage_by_time on model_usage using brin (at) with (autosummarize = on);

-- Row-level security ------------------------------------------------------------------------------

-- Every row belongs to one tenant and is seen by that tenant only. Forced: on the owner too.
do $$
declare t text;
begin
    foreach t in array array[
        'thread', 'thread_head', 'ledger_total', 'ledger_event', 'ledger_payload', 'open_step',
        'effect_reference', 'outside_event', 'read_call', 'progress', 'runner', 'thread_lease', 'lesson', 'fact',
        'token', 'session', 'delegation', 'tool_rule', 'declared_effect', 'encryption', 'history_scope', 'cluster',
        'notification_switch', 'notification', 'notification_delivery', 'signed_request', 'presence',
        'spending', 'model_usage',
        'checkpoints', 'checkpoint_blobs', 'checkpoint_writes']
    loop
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format(
            'create policy of_this_tenant on %I using (tenant_id = current_setting(%L, true)) '
            'with check (tenant_id = current_setting(%L, true))', t, 'daybook.tenant',
            'daybook.tenant');
    end loop;
end $$;

create policy of_this_transaction on history_scope as restrictive
    using (xact = pg_current_xact_id_if_assigned());

revoke execute on function count_thread, append_page, move_head, own_event, begin_session, end_session,
    cluster_now, begin_cluster from public;
