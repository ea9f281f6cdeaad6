-- With which key a tenant's rows are encrypted: a word that only this key opens. No row while nobody
-- has set one. It is no person's row, so no user stands on it.
create table encryption (
    tenant_id text primary key,
    proof     bytea not null,
    begun_at  timestamptz not null default clock_timestamp()
);
alter table encryption enable row level security;
alter table encryption force row level security;
create policy of_this_tenant on encryption
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));

grant select, insert on encryption to daybook_app;
