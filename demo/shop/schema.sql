create table product (
    sku         text primary key,
    category    text not null,
    name        text not null,
    brand       text not null,
    description text not null,
    attributes  text not null,
    price       integer not null check (price > 0),
    stock       integer not null check (stock >= 0)
);

create table review (
    n      integer primary key,
    sku    text not null references product,
    author text not null,
    rating integer not null check (rating between 1 and 5),
    title  text not null,
    text   text not null
);
create index review_by_sku on review (sku);

create table person (
    user_id            text primary key,
    name               text not null,
    email              text not null,
    default_card_id    text,
    default_address_id text
);
create index person_by_email on person (email);

create table address (
    address_id text primary key,
    user_id    text not null references person,
    label      text not null,
    street     text not null,
    city       text not null,
    postcode   text not null,
    country    text not null
);
create index address_by_user on address (user_id);

create table card (
    card_id  text primary key,
    user_id  text not null references person,
    brand    text not null,
    last4    text not null,
    expires  text not null,
    declines integer not null check (declines in (0, 1))
);
create index card_by_user on card (user_id);

-- References are the callers' words and deliberately not unique: where keys are ignored, the same
-- reference may be performed twice, as it may at a real service.

create table hold (
    n          integer primary key autoincrement,
    hold_id    text generated always as ('H-' || (1000 + n)) virtual unique,
    reference  text not null,
    user_id    text not null references person,
    sku        text not null references product,
    quantity   integer not null check (quantity > 0),
    state      text not null check (state in ('held', 'released', 'consumed')),
    expires_at text not null
);
create index hold_by_reference on hold (reference);
create index hold_by_sku on hold (sku, state);

create table hold_release (
    n          integer primary key autoincrement,
    release_id text generated always as ('RL-' || (1000 + n)) virtual unique,
    reference  text not null,
    hold_id    text not null unique
);
create index hold_release_by_reference on hold_release (reference);

create table charge (
    n         integer primary key autoincrement,
    charge_id text generated always as ('CH-' || (1000 + n)) virtual unique,
    reference text not null,
    user_id   text not null references person,
    card_id   text not null references card,
    amount    integer not null check (amount > 0),
    currency  text not null
);
create index charge_by_reference on charge (reference);

create table refund (
    n         integer primary key autoincrement,
    refund_id text generated always as ('RF-' || (1000 + n)) virtual unique,
    reference text not null,
    charge_id text not null,
    amount    integer not null check (amount > 0),
    currency  text not null
);
create index refund_by_reference on refund (reference);
create index refund_by_charge on refund (charge_id);

create table placed_order (
    n          integer primary key autoincrement,
    order_id   text not null unique,
    reference  text not null,
    user_id    text not null references person,
    charge_id  text not null unique,
    address_id text not null references address,
    total      integer not null check (total > 0),
    currency   text not null,
    state      text not null check (state in ('placed', 'cancelled'))
);
create index placed_order_by_reference on placed_order (reference);
create index placed_order_by_user on placed_order (user_id);

create table order_line (
    order_n    integer not null references placed_order,
    position   integer not null,
    hold_id    text not null unique,
    sku        text not null references product,
    name       text not null,
    quantity   integer not null check (quantity > 0),
    unit_price integer not null check (unit_price > 0),
    primary key (order_n, position)
);

create table cancellation (
    n               integer primary key autoincrement,
    cancellation_id text generated always as ('CN-' || (1000 + n)) virtual unique,
    reference       text not null,
    order_id        text not null unique,
    reason          text
);
create index cancellation_by_reference on cancellation (reference);

create table mail (
    n          integer primary key autoincrement,
    message_id text not null,
    recipient  text not null,
    subject    text not null,
    body       text not null
);

-- What really happened, in order: written in the transaction of the effect itself.
create table effect (
    n         integer primary key autoincrement,
    effect    text not null check (
        effect in ('reserve', 'release', 'charge', 'refund', 'order', 'cancel', 'mail')
    ),
    reference text not null,
    at        text not null,
    user_id   text,
    detail    text not null
);

create table idempotency_key (
    endpoint    text not null,
    key         text not null,
    fingerprint text not null,
    status      integer not null,
    body        text not null,
    stored_at   text not null,
    primary key (endpoint, key)
) without rowid;

-- As a merchant of the Universal Commerce Protocol.

create table ucp_key (
    n   integer primary key check (n = 1),
    pem text not null
);

create table ucp_session (
    n     integer primary key autoincrement,
    id    text not null unique,
    state text not null check (state in ('open', 'completed', 'canceled')),
    agent text not null,
    base  text not null,
    kept  text not null
);

create table ucp_order (
    n          integer primary key autoincrement,
    order_id   text not null unique,
    session_id text not null,
    kept       text not null,
    told       text not null default ''
);
create index ucp_order_by_session on ucp_order (session_id);

-- Orders that were accepted and are not placed yet.
-- What was sent of an order and what was paid back beside refunds of a charge, oldest first.
create table ucp_shipment (
    n        integer primary key autoincrement,
    order_id text not null,
    id       text not null unique,
    kept     text not null
);
create index ucp_shipment_by_order on ucp_shipment (order_id, n);

-- What is told of orders, oldest first: written as soon as an order stands otherwise than was told.
create table ucp_event (
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
create index ucp_event_by_state on ucp_event (state, n);
