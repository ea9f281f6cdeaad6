-- What a person's approval was handed to another side as: signed, and held as it was sent, so that a
-- request that is sent again has the same bytes. Sealed by who holds the signing key: it may show the
-- person and their address.
create table mandate (
    tenant_id text not null,
    step      text not null,
    thread_id text not null references thread,
    user_id   text not null,
    sealed    text not null,
    made_at   timestamptz not null default daybook_now(),
    constraint one_mandate primary key (tenant_id, step)
);
create index mandate_of_thread on mandate (thread_id);

alter table mandate enable row level security;
alter table mandate force row level security;
create policy of_this_tenant on mandate
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));

create trigger mandate_of_open_thread before insert on mandate for each row
execute function refuse_row_of_closed_thread();

-- The first one stays: what was sent once is never made anew.
grant select, insert on mandate to daybook_app;
