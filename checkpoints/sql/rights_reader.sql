-- Rights of daybook_reader, as which a user's own history is read: the views, and of the tables what they
-- show. Granted once, where both roles can be had; without it a user's history cannot be asked in SQL.

-- The reader sees the rows of the user in history_scope only. Whoever may act as daybook_app reads the
-- tenant's rows anyway: the owner is a member of both roles and must not be held to a user whom nobody
-- has named.
do $$
declare t text;
begin
    foreach t in array array['thread', 'ledger_payload', 'open_step', 'read_call', 'fact'] loop
        execute format(
            'create policy of_this_person on %I as restrictive for select to daybook_reader using ('
            '(select pg_has_role(%L, %L)) or (tenant_id, user_id) = '
            '(select s.tenant_id, s.user_id from history_scope s))', t, 'daybook_app', 'member');
    end loop;
end $$;
-- By the thread and not by the user id in the entry: a thread has one user.
create policy of_this_person on ledger_event as restrictive for select to daybook_reader using (
    (select pg_has_role('daybook_app', 'member'))
    or thread_id in (
        select t.thread_id from history_scope s
        join thread t on t.tenant_id = s.tenant_id and t.user_id = s.user_id));

do $$ begin
    execute format('grant usage on schema %I to daybook_reader', current_schema);
end $$;
grant select on own_threads, turns, events, effects, plans, reads, changes, facts to daybook_reader;
grant select (xact, tenant_id, user_id) on history_scope to daybook_reader;
grant select (thread_id, tenant_id, user_id) on thread to daybook_reader;
grant select (
    thread_id, seq, tenant_id, user_id, event, turn_id, plan_id, op, gen, author, role, detail, at)
on ledger_event to daybook_reader;
grant select (thread_id, seq, tenant_id, user_id, body) on ledger_payload to daybook_reader;
grant select (tenant_id, user_id, op, gen, thread_id, state) on open_step to daybook_reader;
grant select (
    thread_id, turn_id, handle, tenant_id, user_id, cache, tool, args, result, read_at, stale_at)
on read_call to daybook_reader;
grant select (tenant_id, user_id, value) on fact to daybook_reader;
grant execute on function history_clear to daybook_reader;

-- Runs the SQL of a model, as daybook_reader: the caller needs no right of that role. A query can call
-- set_config, which every role may, and so could take back a `set local role`. Postgres refuses to
-- change the role within a security definer function.
create function history_ask(query text) returns setof text
language plpgsql stable security definer set search_path from current as $$
declare line text;
begin
    -- A dump that was restored without owners would run it as whoever restored it.
    if current_user <> 'daybook_reader' then
        raise exception 'history_ask must be owned by daybook_reader'
            using errcode = 'insufficient_privilege';
    end if;
    -- A cursor: one statement, and in a stable function one that only reads.
    for line in execute query loop
        return next line;
    end loop;
    perform pg_advisory_unlock_all();
exception when query_canceled or assert_failure or others then
    -- A lock of the session would outlive the transaction.
    perform pg_advisory_unlock_all();
    raise;
end $$;
revoke execute on function history_ask from public;
grant execute on function history_ask to daybook_app;
-- Whoever is to own a function must be able to create one at that moment.
do $$ begin
    execute format('grant create on schema %I to daybook_reader', current_schema);
    alter function history_ask owner to daybook_reader;
    execute format('revoke create on schema %I from daybook_reader', current_schema);
end $$;
