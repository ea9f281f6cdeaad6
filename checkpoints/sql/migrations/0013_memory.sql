-- What is remembered beyond a thread, in tables of their own: of a person (LangGraph's store), and
-- of failures (lessons).

-- The store knows no column of ours: the tenant comes from the session, as with the checkpointer.
alter table store add column tenant_id text not null
    default nullif(current_setting('daybook.tenant', true), '');
alter table store enable row level security;
alter table store force row level security;
create policy of_this_tenant on store
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));

-- Of a tenant and of nobody in particular: a class of failures, and what to do otherwise.
create table lesson (
    tenant_id  text not null,
    tool       text not null,
    flow       text not null,
    error      text not null check (error ~ '^[a-z# ]+$'),
    advice     text not null,
    count      integer not null default 0 check (count >= 0),
    helped     integer not null default 0 check (helped >= 0),
    missed     integer not null default 0 check (missed between 0 and count),
    -- The last few of {"thread_id", "turn_id", "call", "came"}: one that is there counts no second
    -- time.
    evidence   jsonb not null default '[]',
    first_at   timestamptz not null default clock_timestamp(),
    last_at    timestamptz not null default clock_timestamp(),
    -- A lesson that does not help is retired and never deleted: else it would be learnt again.
    retired_at timestamptz,
    primary key (tenant_id, tool, flow, error)
);
alter table lesson enable row level security;
alter table lesson force row level security;
create policy of_this_tenant on lesson
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));

grant select, insert, update on lesson to daybook_app;
