-- What a page of the ledger writes is one statement: entries, their payloads, the work list, the head,
-- and what all that says of the thread. One after the other: what stands below sees what stands above.
-- It may do no more than who calls it may.
create function append_page(
    of_thread text, of_tenant text, of_user text, entries jsonb, payload_seqs bigint[],
    salts bytea[], bodies jsonb[], gone jsonb, listed jsonb, to_seq bigint, to_hash bytea,
    plan text, is_active boolean, stands text
) returns void language plpgsql as $$
begin
    insert into ledger_event (
        thread_id, seq, tenant_id, user_id, ledger_version, event, turn_id, plan_id, op, gen,
        attempt, worker, author, role, deadline_at, settle_at, detail, payload_hash, at, hash)
    select
        of_thread, e.seq, of_tenant, of_user, e.ledger_version, e.event, e.turn_id, e.plan_id,
        e.op, e.gen, e.attempt, e.worker, e.author, e.role, e.deadline_at, e.settle_at, e.detail,
        e.payload_hash, e.at, e.hash
    from jsonb_populate_recordset(null::ledger_event, entries) e
    order by e.seq;

    if cardinality(payload_seqs) > 0 then
        insert into ledger_payload (thread_id, seq, tenant_id, user_id, salt, body)
        select of_thread, p.seq, of_tenant, of_user, p.salt, p.body
        from unnest(payload_seqs, salts, bodies) p (seq, salt, body);
    end if;

    if gone <> '[]' then
        delete from open_step s
        using jsonb_to_recordset(gone) g (op text, gen integer)
        where s.tenant_id = of_tenant and s.op = g.op and s.gen = g.gen;
    end if;
    if listed <> '[]' then
        insert into open_step (
            tenant_id, user_id, op, gen, thread_id, plan_id, tool, state, due_at, asks)
        select of_tenant, of_user, l.op, l.gen, of_thread, l.plan_id, l.tool, l.state, l.due_at,
            l.asks
        from jsonb_populate_recordset(null::open_step, listed) l
        on conflict (tenant_id, op, gen) do update
        set state = excluded.state, due_at = excluded.due_at, asks = excluded.asks,
            updated_at = daybook_now();
    end if;

    perform move_head(of_thread, to_seq, to_hash, plan);

    if is_active then
        update thread t
        set last_activity = daybook_now(),
            -- What an ended plan left behind says nothing of its turn, which goes on: were its run to
            -- die now, somebody has to come for it. Else nobody is at work, but a person may be asked
            -- about a doubt.
            status = case
                when stands = 'idle' and 'received' = (
                    select event from ledger_event e
                    where e.thread_id = t.thread_id and e.event in ('received', 'turn_done')
                    order by e.seq desc limit 1)
                then 'active'
                when stands = 'idle' and exists (
                    select from open_step s
                    where s.thread_id = t.thread_id and s.state in ('in_doubt', 'stuck'))
                then 'waiting'
                else coalesce(stands, t.status)
            end
        where t.thread_id = of_thread and t.status <> 'closed';
    end if;
end $$;
revoke execute on function append_page from public;
grant execute on function append_page to daybook_app;
