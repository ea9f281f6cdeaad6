-- Who holds a thread's lock, and until when unless it is heard of again: written with the lock, so that
-- a holder can be told to be silent at whatever instant it was suspended. A thread may be held before
-- it has a row, and for more than a run of it (to be forgotten, to be reconciled).

-- As the lock itself, it is gone when the server has crashed.
create unlogged table thread_lease (
    tenant_id text not null,
    thread_id text not null,
    -- Under this name (application_name) the server knows the sessions of the holder's process.
    process   text not null,
    until     timestamptz not null,
    primary key (tenant_id, thread_id)
);
alter table thread_lease enable row level security;
alter table thread_lease force row level security;
create policy of_this_tenant on thread_lease
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));

-- Locks and leases are the owner's. A run that begins looks whether its process still holds the
-- thread, and keeps that from changing meanwhile, for which a role must be allowed to update.
grant select, update on thread_lease to daybook_app;
