-- What other sides tell by themselves, each once: evidence beside the answers to what was asked.
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

alter table outside_event enable row level security;
alter table outside_event force row level security;
create policy of_this_tenant on outside_event
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));

-- What was told stays as it was told; only whether it was taken up, and whose it is, is added.
grant select, insert, update (thread_id, user_id, taken_at) on outside_event to daybook_app;
