create table if not exists ucp_key (
    n   integer primary key check (n = 1),
    pem text not null
);

create table if not exists ucp_cart (
    n     integer primary key autoincrement,
    id    text not null unique,
    state text not null check (state in ('open', 'canceled')),
    kept  text not null
);

create table if not exists ucp_session (
    n     integer primary key autoincrement,
    id    text not null unique,
    state text not null check (state in ('open', 'completed', 'canceled')),
    agent text not null,
    base  text not null,
    kept  text not null
);

create table if not exists ucp_order (
    n          integer primary key autoincrement,
    order_id   text not null unique,
    session_id text not null,
    kept       text not null,
    told       text not null default ''
);
create index if not exists ucp_order_by_session on ucp_order (session_id);

-- What is told of orders, oldest first: written as soon as an order stands otherwise than was told.
create table if not exists ucp_event (
    n          integer primary key autoincrement,
    event_id   text not null unique,
    order_id   text not null,
    session_id text not null,
    agent      text not null,
    base       text not null,
    at         text not null,
    body       text not null,
    state      text not null check (state in ('waiting', 'told', 'lost', 'given up'))
);
create index if not exists ucp_event_by_state on ucp_event (state, n);

-- Mandates by which an order was placed: each is good for one.
create table if not exists ucp_mandate (
    name       text primary key,
    session_id text not null
);
