-- Statements of user memory, by name.

-- name: facts
select value from fact where tenant_id = %(tenant_id)s and user_id = %(user_id)s

-- name: remember
-- What was kept in the clear, or by another key, goes with the same commit.
with gone as (
    delete from fact
    where tenant_id = %(tenant_id)s and user_id = %(user_id)s and found_by = any(%(gone)s)
)
insert into fact (tenant_id, user_id, found_by, value)
values (%(tenant_id)s, %(user_id)s, %(found_by)s, %(value)s)
on conflict (tenant_id, user_id, found_by) do update set value = excluded.value

-- name: forget
delete from fact
where tenant_id = %(tenant_id)s and user_id = %(user_id)s and found_by = any(%(gone)s)

-- name: forget_all
delete from fact where tenant_id = %(tenant_id)s and user_id = %(user_id)s
