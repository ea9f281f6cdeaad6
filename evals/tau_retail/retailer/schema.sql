-- A name may be given again to a new world: what was done in an old one stays in the log.
create table world (
    id       integer primary key autoincrement,
    name     text not null unique,
    is_armed integer not null default 0 check (is_armed in (0, 1)),
    reads    integer not null default 0,
    repeats  integer not null default 0
);

-- Only what differs from the database that every world begins with; as text, so that the order of
-- keys stays.
create table record (
    world      integer not null,
    table_name text not null check (table_name in ('orders', 'products', 'users')),
    key        text not null,
    body       text not null,
    primary key (world, table_name, key)
) without rowid;

-- What was executed, in order, refused calls too: written in the transaction of the change itself.
create table execution (
    n           integer primary key autoincrement,
    world       integer not null,
    tool        text not null,
    args        text not null,
    key         text,
    text        text not null,
    changed     integer not null check (changed in (0, 1)),
    refused     integer not null check (refused in (0, 1)),
    unique (world, key)
);

create trigger execution_is_not_updated before update on execution
begin select raise(abort, 'the log of executions is append-only'); end;
create trigger execution_is_not_deleted before delete on execution
begin select raise(abort, 'the log of executions is append-only'); end;
-- To replace a row is neither for SQLite.
create trigger execution_is_not_replaced before insert on execution
when exists (
    select 1 from execution where n = new.n or (world = new.world and key = new.key)
)
begin select raise(abort, 'the log of executions is append-only'); end;
