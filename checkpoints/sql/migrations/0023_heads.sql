-- Whose a thread is stays, and its head goes where its ledger goes: the role that serves writes neither
-- column itself any more. The head moves by a function of the owner, which lets it move forward alone,
-- and only to an entry that stands in the ledger.
revoke update on thread, thread_head from daybook_app;
grant update (status, last_activity) on thread to daybook_app;

-- FOR UPDATE wants the right to update some column. This one row-level security holds to its value.
grant update (tenant_id) on thread_head to daybook_app;

-- The owner may be superuser and see every tenant; a temporary table of a caller's is none of ours.
create function move_head(of_thread text, to_seq bigint, to_hash bytea, plan text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update thread_head h set seq = to_seq, hash = to_hash, open_plan = plan
    where h.thread_id = of_thread and h.tenant_id = current_setting('daybook.tenant', true)
      and h.seq < to_seq and exists (
          select from ledger_event e
          where e.thread_id = of_thread and e.seq = to_seq and e.hash = to_hash);
    if not found then
        raise exception 'the head of the thread % moves to its newest entry alone', of_thread
            using errcode = 'insufficient_privilege';
    end if;
end $$;
revoke execute on function move_head from public;
grant execute on function move_head to daybook_app;

-- Locks and leases need no owner: so that who serves need not be one. A lease is no promise of what is
-- safe, and whoever holds a thread could change its lease before.
grant insert, delete on thread_lease to daybook_app;
