-- What turns did, and when: a batch of spans a row, and one row a turn once it is done. They hold
-- names, ids, counts and outcomes, and are no part of the chain.
create table span_batch (
    batch     bigint generated always as identity primary key,
    thread_id text not null references thread,
    tenant_id text not null,
    user_id   text not null,
    turn_id   text not null,
    spans     jsonb not null
);
create index span_batch_of_turn on span_batch (thread_id, turn_id, batch);

alter table span_batch enable row level security;
alter table span_batch force row level security;
create policy of_this_tenant on span_batch
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));

grant select, insert, delete on span_batch to daybook_app;
