-- What Postgres itself says of the databases that are measured.

-- name: next_xid
select pg_snapshot_xmax(pg_current_snapshot())::text::bigint

-- name: transactions
select xact_commit from pg_stat_database where datname = current_database()

-- name: others
select count(*) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'

-- name: columns
select table_schema, table_name, array_agg(column_name::text order by ordinal_position)
from information_schema.columns
where table_name = any(%s)
group by table_schema, table_name
