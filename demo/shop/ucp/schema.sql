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

-- Orders that were accepted and are not placed yet.
create table if not exists ucp_in_hand (
    n          integer primary key autoincrement,
    session_id text not null,
    token      text not null,
    comes_to   text not null check (comes_to in ('order', 'declined', 'canceled')),
    due        text not null
);

-- What was sent of an order and what was paid back beside refunds of a charge, oldest first.
create table if not exists ucp_shipment (
    n        integer primary key autoincrement,
    order_id text not null,
    id       text not null unique,
    kept     text not null
);
create index if not exists ucp_shipment_by_order on ucp_shipment (order_id, n);

create table if not exists ucp_adjustment (
    n        integer primary key autoincrement,
    order_id text not null,
    id       text not null,
    kept     text not null,
    unique (order_id, id)
);

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
