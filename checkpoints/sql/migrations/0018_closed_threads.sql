-- Nothing personal is written into a thread that was closed: its documents and spans are as the reads
-- and checkpoints (0004). Spans know their thread before it has a row; such a thread is not closed.
do $$
declare t text;
begin
    foreach t in array array['progress', 'span_batch']
    loop
        execute format(
            'create trigger %I before insert on %I for each row '
            'execute function refuse_row_of_closed_thread()', t || '_of_open_thread', t);
    end loop;
end $$;
