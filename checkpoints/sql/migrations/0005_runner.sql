-- Who runs a thread. Its epoch grows with each run, so that what an earlier runner still writes into
-- the checkpoints is refused; its lease tells a runner that is silent from one that is at work.
create table runner (
    thread_id   text primary key references thread,
    tenant_id   text not null,
    user_id     text not null,
    epoch       bigint not null default 0,
    -- Under this name (application_name) the server knows the sessions of the runner's process.
    process     text,
    -- Null while nobody runs it. One that died, or is suspended, leaves its lease behind.
    lease_until timestamptz,
    -- How often the worker came for it since a run of it ended well, and when it comes again.
    tries       integer not null default 0,
    retry_at    timestamptz not null default '-infinity'
);
create index runner_at_work on runner (thread_id) where lease_until is not null;

alter table runner enable row level security;
alter table runner force row level security;
create policy of_this_tenant on runner
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));
grant select, insert, update on runner to daybook_app;

-- Within the transaction of the write that it guards: the row stays locked until that commits, and
-- whoever takes the thread over waits for it.
create function refuse_overtaken_runner(of_thread text, of_epoch bigint) returns void
language plpgsql as $$
begin
    perform from runner where thread_id = of_thread and epoch = of_epoch for share;
    if not found then
        raise exception 'the thread % was taken over by another runner', of_thread
            using errcode = 'DB001';
    end if;
end $$;
