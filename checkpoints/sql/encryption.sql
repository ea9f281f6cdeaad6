-- Statements about the key that a tenant's rows are encrypted with, by name.

-- name: proof
select proof from encryption where tenant_id = %(tenant_id)s

-- name: begin
insert into encryption (tenant_id, proof) values (%(tenant_id)s, %(proof)s)
on conflict (tenant_id) do nothing
