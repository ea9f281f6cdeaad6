-- Statements of a question to a user's own history, by name.

-- name: name_the_user
insert into history_scope (tenant_id, user_id)
values (%(tenant_id)s, %(user_id)s)

-- name: limit
-- Nothing within the transaction can make it writable again, and the timer of a statement that runs
-- is not stopped by a new setting.
select set_config('transaction_read_only', 'on', true),
    set_config('statement_timeout', %(longest)s, true), set_config('lock_timeout', '1s', true),
    set_config('work_mem', '4MB', true), set_config('max_parallel_workers_per_gather', '0', true),
    set_config('timezone', 'UTC', true),
    -- Without the role that it needs there is none, or none that may be called.
    coalesce(has_function_privilege(to_regprocedure('history_ask(text)'), 'execute'), false) as can_ask

-- name: ask
select line from history_ask(%(query)s) as line
