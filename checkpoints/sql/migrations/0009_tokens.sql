-- By which tokens people sign in at a server. The secret itself stands nowhere: only its SHA-256.
create table token (
    token_id   text primary key,
    tenant_id  text not null,
    user_id    text not null,
    role       text not null check (role in ('customer', 'clerk', 'operator')),
    digest     bytea not null check (length(digest) = 32),
    note       text not null default '',
    made_at    timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null,
    -- A token is revoked and never deleted: a server without any token asks for none.
    revoked_at timestamptz
);
create index token_of_user on token (tenant_id, user_id);

alter table token enable row level security;
alter table token force row level security;
create policy of_this_tenant on token
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));

-- Who serves may look tokens up; only the owner of the database makes them and takes them away.
grant select on token to daybook_app;
