-- The thread, its ledger, the work list and the reads. Runs as the owner of the database; the
-- application runs as the role daybook_app, which may insert into the ledger and read it.

create table thread (
    thread_id     text primary key,
    tenant_id     text not null,
    user_id       text not null,
    status        text not null default 'active'
                  check (status in ('active', 'waiting', 'idle', 'closed')),
    created_at    timestamptz not null default clock_timestamp(),
    last_activity timestamptz not null default clock_timestamp()
);
create index thread_of_user on thread (tenant_id, user_id, last_activity desc);

-- One row a thread: the lock of the thread and the head of its chain. A table of its own, because
-- FOR UPDATE on the append-only table needs a right that the application's role does not have.
create table thread_head (
    thread_id text primary key references thread,
    tenant_id text not null,
    seq       bigint not null default 0,
    hash      bytea not null default '\x',
    open_plan text
);

create table ledger_event (
    thread_id      text not null references thread,
    seq            bigint not null check (seq > 0),
    tenant_id      text not null,
    user_id        text not null,
    ledger_version smallint not null,
    event          text not null check (event in (
        'received', 'decided', 'applied', 'turn_done',
        'opened', 'decision', 'closing', 'succeeded', 'ended',
        'intended', 'expired', 'rejected', 'withdrawn', 'superseded', 'cancelled',
        'attempted', 'acknowledged', 'found', 'verified', 'unanswered', 'refused', 'declined',
        'absent', 'unreachable', 'failed', 'in_doubt', 'happened', 'not_happened',
        'undo_attempted', 'undo_failed', 'undone', 'undo_stuck', 'extra_undone')),
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
-- Global, not per thread: a copied thread meets the operation and gets its record.
create unique index one_intent on ledger_event (tenant_id, op, gen) where event = 'intended';
create unique index one_attempt on ledger_event (tenant_id, op, gen, attempt)
    where event = 'attempted';
create unique index one_undo_attempt on ledger_event (tenant_id, op, gen, attempt)
    where event = 'undo_attempted';
-- A plan is asked about once, so its id is the id of the question.
create unique index one_decision on ledger_event (tenant_id, plan_id) where event = 'decision';
create unique index one_turn on ledger_event (thread_id, turn_id) where event = 'received';
create unique index one_end_of_turn on ledger_event (thread_id, turn_id) where event = 'turn_done';
create unique index one_model_decision
    on ledger_event (thread_id, turn_id, (detail ->> 'ordinal'), (detail ->> 'prompt'))
    where event = 'decided';
create unique index one_application on ledger_event (thread_id, turn_id, (detail ->> 'call'))
    where event = 'applied';
create index ledger_event_of_plan on ledger_event (thread_id, plan_id, seq)
    where plan_id is not null;

-- Arguments, results and free text. Erasable per person; the chained event holds the salted hash.
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

-- The work list: a projection of the events for whoever looks for abandoned work.
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
    updated_at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, op, gen)
);
create index open_step_of_thread on open_step (thread_id);
create index open_step_due on open_step (due_at) where due_at is not null;

-- Reads are no part of the chain: knowledge, cached per thread by tool and arguments.
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
    read_at     timestamptz not null default clock_timestamp(),
    expires_at  timestamptz,
    stale_at    timestamptz,
    primary key (thread_id, turn_id, call),
    constraint a_hit_points_at_its_miss check ((cache = 'hit') = (result is null))
);
create index read_call_cached on read_call (thread_id, tool, args_hash) where cache = 'miss';
create index read_call_of_thread on read_call (thread_id, handle);
create index read_call_stale on read_call (thread_id) where stale_at is not null;

-- Append-only, for everybody: the owner's own update is refused too.
create function refuse_change_of_ledger() returns trigger language plpgsql as $$
begin
    raise exception 'the ledger is append-only: % on % is refused', tg_op, tg_table_name
        using errcode = 'insufficient_privilege';
end $$;
-- For each statement: one that would touch no row is refused as well.
create trigger ledger_event_is_append_only before update or delete or truncate on ledger_event
    for each statement execute function refuse_change_of_ledger();

-- A row belongs to one tenant and is seen by that tenant only.
do $$
declare t text;
begin
    foreach t in array array['thread', 'thread_head', 'ledger_event', 'ledger_payload',
                             'open_step', 'read_call'] loop
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format(
            'create policy of_this_tenant on %I using (tenant_id = current_setting(%L, true)) '
            'with check (tenant_id = current_setting(%L, true))', t, 'daybook.tenant',
            'daybook.tenant');
    end loop;
end $$;

grant select, insert on ledger_event, ledger_payload to daybook_app;
grant select, insert, update on thread, thread_head, read_call to daybook_app;
grant select, insert, update, delete on open_step to daybook_app;
