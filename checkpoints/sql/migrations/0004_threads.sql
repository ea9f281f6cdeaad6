-- Which domain a thread is of: two agents may share a database, and neither can read the other's
-- state. Threads from before it was written down are let in by every domain.
alter table thread add column domain text;

-- A thread is at work once it has received something; until then nobody need take it up.
alter table thread alter column status set default 'idle';

-- A runner that lost its lock while its thread was erased writes nothing back: what it read or keeps
-- would be left of a person who was told that all is erased.
create function refuse_row_of_closed_thread() returns trigger language plpgsql as $$
begin
    if exists (select from thread where thread_id = new.thread_id and status = 'closed') then
        raise exception 'the thread % is closed: what it held was erased', new.thread_id
            using errcode = 'insufficient_privilege';
    end if;
    return new;
end $$;
do $$
declare t text;
begin
    foreach t in array array['read_call', 'checkpoints', 'checkpoint_blobs', 'checkpoint_writes']
    loop
        execute format(
            'create trigger %I before insert on %I for each row '
            'execute function refuse_row_of_closed_thread()', t || '_of_open_thread', t);
    end loop;
end $$;
