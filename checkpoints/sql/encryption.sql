-- Statements about the keys that a tenant's rows are encrypted with, by name.

-- name: keys
select key_id from encryption where tenant_id = %(tenant_id)s

-- name: alone
select pg_advisory_xact_lock(hashtextextended('daybook key ' || %(tenant_id)s, 0))

-- name: begin
insert into encryption (tenant_id, key_id) values (%(tenant_id)s, %(key_id)s)
on conflict (tenant_id, key_id) do nothing

-- name: drop_older
-- As the owner: nothing is encrypted with them any more.
delete from encryption where tenant_id = %(tenant_id)s and key_id <> %(key_id)s

-- name: remembered
select user_id, found_by, value from fact
where tenant_id = %(tenant_id)s and substring(
    decode(value ->> 'daybook_sealed', 'base64') from 1 for 8) <> %(newest)s

-- name: remember_anew
update fact set found_by = %(by)s, value = %(becomes)s
where tenant_id = %(tenant_id)s and user_id = %(user_id)s and found_by = %(found_by)s
  and value = %(was)s
