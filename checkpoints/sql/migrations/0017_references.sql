-- Which step an effect belongs to, by what names it at the other side: never to two steps. Hashes,
-- so that nothing of anybody is in it when what a person called is erased.
create table effect_reference (
    tenant_id text not null,
    domain    text not null,
    world     text not null,
    tool      text not null,
    reference bytea not null,
    op        text not null,
    gen       integer not null,
    constraint one_reference primary key (tenant_id, domain, world, tool, reference)
);

alter table effect_reference enable row level security;
alter table effect_reference force row level security;
create policy of_this_tenant on effect_reference
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));

grant select, insert, delete on effect_reference to daybook_app;

alter table ledger_event drop constraint ledger_event_event_check;
alter table ledger_event add constraint ledger_event_event_check check (event in (
    'received', 'decided', 'applied', 'turn_done',
    'opened', 'decision', 'closing', 'succeeded', 'ended',
    'intended', 'expired', 'rejected', 'withdrawn', 'superseded', 'cancelled',
    'attempted', 'acknowledged', 'found', 'verified', 'unanswered', 'refused', 'declined',
    'absent', 'unreachable', 'failed', 'in_doubt', 'happened', 'not_happened',
    'undo_attempted', 'undo_failed', 'undone', 'undo_stuck', 'extra_undone',
    'contradicted')) not valid;
alter table ledger_event validate constraint ledger_event_event_check;
