-- Statements of a question to the past, by name. What is asked itself is written in
-- `checkpoints/people/history_sql.py`.

-- name: name_the_person
insert into history_scope (tenant_id, user_id, prefix)
values (%(tenant_id)s, %(user_id)s, %(prefix)s)

-- name: become_the_reader
set local role daybook_reader

-- name: change_nothing
-- Nothing within the transaction can take it back.
set transaction read only

-- name: bound
select set_config('statement_timeout', %(longest)s, true), set_config('lock_timeout', '1s', true),
    set_config('work_mem', '4MB', true), set_config('max_parallel_workers_per_gather', '0', true),
    set_config('timezone', 'UTC', true), set_config('search_path', '', true),
    -- What is asked is written with it: a backslash is a sign as any other.
    set_config('standard_conforming_strings', 'on', true)
