-- Keys change: a tenant's rows may be of several, each with its proof. That of before has no id.
alter table encryption add column key_id text not null default '';
alter table encryption drop constraint encryption_pkey;
alter table encryption add primary key (tenant_id, key_id);
alter table encryption alter column key_id drop default;
