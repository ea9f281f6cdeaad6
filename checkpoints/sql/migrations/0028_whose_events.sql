-- Whose an event is, its step says, once: the role that serves writes it no more, but by a function of
-- the owner, which takes the person from the thread and moves no event from one thread to another.
revoke insert, update on outside_event from daybook_app;
grant insert (tenant_id, source, event_id, about, reference, newness, facts)
    on outside_event to daybook_app;

create function own_event(of_source text, of_event text, of_thread text, is_taken boolean) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update outside_event e
    set thread_id = t.thread_id, user_id = t.user_id,
        taken_at = coalesce(e.taken_at, case when is_taken then daybook_now() end)
    from thread t
    where t.thread_id = of_thread and t.tenant_id = current_setting('daybook.tenant', true)
      and e.tenant_id = t.tenant_id and e.source = of_source and e.event_id = of_event
      and (e.thread_id is null or e.thread_id = t.thread_id);
    if not found then
        raise exception 'the event % of % is of another thread, or there is none', of_event, of_source
            using errcode = 'insufficient_privilege';
    end if;
end $$;
revoke execute on function own_event from public;
grant execute on function own_event to daybook_app;
