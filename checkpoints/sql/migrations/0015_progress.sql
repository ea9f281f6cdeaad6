-- The progress of a thread as a document: what each epoch of its prompt began with.
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
    at         timestamptz not null default clock_timestamp(),
    primary key (thread_id, version),
    constraint one_document unique (thread_id, epoch, covers, last)
);

alter table progress enable row level security;
alter table progress force row level security;
create policy of_this_tenant on progress
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));

grant select, insert on progress to daybook_app;
