-- What `checkpoints/inspect.py` asks a database; nothing here changes anything.

-- name: server
select
    current_setting('server_version') as version,
    current_database()::text as database,
    current_user::text as owner,
    pg_is_in_recovery() as is_standby,
    coalesce(
        (select has_schema_privilege(oid, 'create') from pg_namespace where nspname = %(schema)s),
        has_database_privilege(current_database(), 'create')) as may_create

-- name: session
select pg_backend_pid() as pid

-- name: role
select
    -- From 16 on a member may be one that cannot act as the role.
    pg_has_role(current_user, oid, case
        when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)
    as is_ours,
    rolsuper or rolbypassrls as sees_all_tenants
from pg_roles where rolname = %(role)s

-- name: tables
-- Of a database that is migrated: what the application's role may do and must not, and what is left.
select
    array(
        select wanted from unnest(array['update', 'delete', 'truncate']) as wanted
        where has_table_privilege(to_regrole(%(role)s)::oid, 'ledger_event', wanted)) as rights,
    (select pg_has_role(current_user, relowner, 'usage')
        from pg_class where oid = 'ledger_event'::regclass) as owns,
    exists (
        select from pg_trigger
        where tgrelid = 'ledger_event'::regclass and tgname = 'ledger_event_is_append_only'
          and tgenabled in ('O', 'A')) as is_append_only,
    array(
        select distinct domain from thread
        where tenant_id = %(tenant_id)s and domain is not null
          and is_elsewhere(domain, %(ignores_timeline)s, %(marks)s)
        order by 1) as elsewhere,
    is_elsewhere('', %(ignores_timeline)s, %(marks)s) as is_elsewhere,
    array(
        select format('%%s (%%s)', program, count(*)) from declared_effect
        where tenant_id = %(tenant_id)s
        group by program order by program) as programs,
    array(
        select c.relname::text
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
        where c.relnamespace = (select oid from pg_namespace where nspname = %(schema)s)
          and c.relkind in ('r', 'p')
          and not (c.relrowsecurity and c.relforcerowsecurity)
        order by 1) as open_tables,
    array(
        select thread_id from runner
        where tenant_id = %(tenant_id)s and tries > 0 and tries > %(most_tries)s
        order by 1) as given_up,
    (select count(*) from notification_delivery
        where tenant_id = %(tenant_id)s and state = 'dead') as undelivered,
    array(
        select distinct source || ' ' || reference from outside_event
        where tenant_id = %(tenant_id)s and taken_at is null and thread_id is null
        order by 1) as of_nobody
