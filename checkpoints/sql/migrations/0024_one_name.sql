-- A person's id has one form (`daybook.state.people.named.user_named`): what was written in another one
-- is written anew. The table `one_name` (tenant_id, was, becomes, prefix_was, prefix_becomes) was
-- filled for this migration: two people whose ids differ in nothing but their spelling stay two, and
-- the later one's gets a number. The ledger is append-only, and its entries go on saying what they said.
do $$
declare t text;
begin
    foreach t in array array[
        'thread', 'thread_head', 'ledger_payload', 'open_step', 'read_call', 'runner', 'progress',
        'span_batch', 'token', 'session']
    loop
        execute format('alter table %I no force row level security', t);
        execute format(
            'update %I it set user_id = n.becomes from one_name n '
            'where it.tenant_id = n.tenant_id and it.user_id = n.was', t);
        execute format('alter table %I force row level security', t);
    end loop;
end $$;
alter table store no force row level security;
update store it set prefix = n.prefix_becomes from one_name n
where it.tenant_id = n.tenant_id and it.prefix = n.prefix_was;
alter table store force row level security;

-- So a person's entries are known by their threads, and not by the name in them.
drop policy of_this_person on ledger_event;
create policy of_this_person on ledger_event as restrictive for select to daybook_reader using (
    (select pg_has_role('daybook_app', 'member'))
    or thread_id in (
        select t.thread_id from history_scope s
        join thread t on t.tenant_id = s.tenant_id and t.user_id = s.user_id));
