-- What the migration asks and makes first. The schema is looked up by the catalog: whoever may not use
-- it gets an answer too.

-- name: found
with ours as (
    select n.oid as namespace, c.relname, c.relowner
    from pg_namespace n left join pg_class c on c.relnamespace = n.oid
    where n.nspname = %(schema)s
), counted as (
    select count(namespace) > 0 as is_there, count(relname) > 0 as has_tables,
        count(*) filter (where relname in ('migration', 'ledger_event')) = 2 as is_ours,
        coalesce(bool_and(pg_has_role(relowner, 'usage')), true) as owns
    from ours
)
select pg_encoding_to_char(d.encoding)::text as encoding, is_there, is_ours, owns,
    has_tables and not is_ours as is_foreign,
    -- A search path leads a user first into the schema of its name, and what it finds there.
    exists (select from pg_roles where rolname = %(schema)s) and exists (
        select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'v', 'm', 'f')
          and n.nspname not in (%(schema)s, 'information_schema') and not starts_with(n.nspname, 'pg_'))
    as leads_others_astray
from counted, pg_database d where d.datname = current_database()

-- name: roles
-- Which roles this user may act as, and which it can take: by making or by granting them.
select wanted as name, r.oid is not null and is_taken as is_taken,
    case when r.oid is null or not is_new_server then me.rolsuper or me.rolcreaterole
        else me.rolsuper or admin.oid is not null end as can_take
from unnest(%(roles)s::text[]) wanted
cross join (select * from pg_roles where rolname = current_user) me
cross join (select current_setting('server_version_num')::int >= 160000 as is_new_server) server
left join pg_roles r on r.rolname = wanted
left join lateral (
    select m.roleid as oid from pg_auth_members m
    where m.roleid = r.oid and m.member = me.oid and m.admin_option limit 1) admin on true
-- From 16 on a member may be one that cannot act as the role.
cross join lateral (select pg_has_role(
    r.oid, case when is_new_server then 'set' else 'member' end) as is_taken) taken

-- name: base
create table migration (
    name       text primary key,
    applied_at timestamptz not null default now()
);
