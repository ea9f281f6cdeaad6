-- Statements about the keys that a tenant's rows are encrypted with, by name.

-- name: proofs
select key_id, proof from encryption where tenant_id = %(tenant_id)s

-- name: alone
select pg_advisory_xact_lock(hashtextextended('daybook key ' || %(tenant_id)s, 0))

-- name: begin
insert into encryption (tenant_id, key_id, proof) values (%(tenant_id)s, %(key_id)s, %(proof)s)
on conflict (tenant_id, key_id) do nothing

-- name: drop_older
-- As the owner: nothing is encrypted with them any more.
delete from encryption where tenant_id = %(tenant_id)s and key_id <> %(key_id)s

-- name: remembered
select prefix, key, value::text as it from store
where tenant_id = %(tenant_id)s
order by prefix, key

-- name: remember_anew
update store set key = %(by)s, value = %(becomes)s::jsonb
where prefix = %(prefix)s and key = %(key)s and value = %(was)s::jsonb
