-- Mandates of steps, by name. Row-level security leaves this tenant's rows.

-- name: keep
insert into mandate (tenant_id, step, thread_id, user_id, sealed)
values (%(tenant_id)s, %(step)s, %(thread_id)s, %(user_id)s, %(sealed)s)
on conflict on constraint one_mandate do nothing

-- name: held
select sealed from mandate where step = %(step)s
