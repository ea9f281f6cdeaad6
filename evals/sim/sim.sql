-- What the judge of a life asks, by name: of the ledger's database, where `from hold`, `charge` and
-- `placed_order` of the shop's. The last ones are what two mutants do in place of the engine's.

-- name: unrest
select t.thread_id, concat_ws(', ',
    case when h.open_plan is not null then 'a plan is open' end,
    case when t.status not in ('idle', 'waiting') then 'it is ' || t.status end,
    case when r.lease_until is not null then 'it has a runner' end,
    (select string_agg(s.op || ' is ' || s.state, ', ') from open_step s
     where s.thread_id = t.thread_id and s.due_at is not null)) as why
from thread t join thread_head h using (thread_id) left join runner r using (thread_id)
where h.open_plan is not null or t.status not in ('idle', 'waiting') or r.lease_until is not null
   or exists (select from open_step s where s.thread_id = t.thread_id and s.due_at is not null)

-- name: held
select reference from hold where state = 'held'

-- name: given_back
select at from ledger_event where event = 'undone' and op || '/' || gen = %(reference)s

-- name: no_order
select reference from charge c
where charge_id not in (select charge_id from placed_order) and amount >
    (select coalesce(sum(r.amount), 0) from refund r where r.charge_id = c.charge_id)

-- name: old_news
select r.turn_id, r.call, r.tool from read_call r
join read_call m on m.thread_id = r.thread_id and m.handle = r.handle and m.cache <> 'hit'
where r.cache = 'hit' and 'orders' = any(m.tags) and exists (
    select from ledger_event e
    where e.thread_id = r.thread_id and e.event in ('acknowledged', 'found')
      and e.op like '%/place_order' and e.at > m.read_at and e.at < r.read_at)

-- name: approved
select p.thread_id, p.seq, p.body from ledger_event e join ledger_payload p using (thread_id, seq)
where e.event = 'intended' and e.detail ->> 'tool' = 'charge_payment'
  and (e.thread_id, e.plan_id) = (
    select d.thread_id, d.plan_id from ledger_event d where d.event = 'decision'
    order by d.at desc, d.seq desc limit 1)

-- name: alter
update ledger_payload p set body = jsonb_set(body - 'written', '{args,amount}',
    to_jsonb((body -> 'args' ->> 'amount')::bigint + 100))
from unnest(%(of)s::text[], %(seq)s::bigint[]) as a (thread_id, seq)
where (p.thread_id, p.seq) = (a.thread_id, a.seq)

-- name: put_right
update ledger_payload set body = %s where thread_id = %s and seq = %s

-- name: orders_of
select order_id from placed_order where user_id = ? and state = 'placed' order by n

-- name: new_entries
select * from ledger_event where thread_id = %s and seq > %s order by seq

-- name: entries
select e.*, p.body as payload
from ledger_event e left join ledger_payload p using (thread_id, seq)
where thread_id = %s order by seq

-- name: triggers
create table sim_seen (
    n       bigint generated always as identity primary key,
    what    text not null,
    thread  text not null,
    process text,
    other   text
);
create function sim_see_write() returns trigger language plpgsql security definer as $$
declare
    holder text;
begin
    select process into holder from runner where thread_id = new.thread_id;
    if holder <> current_setting('application_name') then
        insert into sim_seen (what, thread, process, other)
        values (tg_table_name, new.thread_id, current_setting('application_name'), holder);
    end if;
    return null;
end $$;
create trigger sim_seen after insert on checkpoints
    for each row execute function sim_see_write();
create trigger sim_seen after insert on checkpoint_writes
    for each row execute function sim_see_write();
create function sim_see_runner() returns trigger language plpgsql security definer as $$
begin
    if old.lease_until is not null and new.process <> old.process then
        insert into sim_seen (what, thread, process, other)
        values ('runner', new.thread_id, new.process, old.process);
    end if;
    return null;
end $$;
create trigger sim_seen after update on runner
    for each row execute function sim_see_runner();

-- name: intent
select p.body from ledger_event e join ledger_payload p using (thread_id, seq)
where thread_id = %(thread_id)s and e.op = %(op)s and e.gen = %(gen)s and e.event = 'intended'

-- name: refunds
select event_id from outside_event where facts ->> 'told' like '%refund%'

-- name: sessions_that_hold
select s.id from ucp_session s where s.state = 'open' and exists (
    select 1 from hold h
    where h.reference like s.id || '/%' and h.state = 'held' and h.expires_at > ?)

-- name: append_under_the_next_number
with last as (
    select coalesce(max(seq), 0) as seq from ledger_event where thread_id = %(thread_id)s
)
select append_page(
    %(thread_id)s, %(tenant_id)s, %(user_id)s,
    (select jsonb_agg(e || jsonb_build_object('seq', n + last.seq))
     from jsonb_array_elements(%(entries)s) with ordinality each (e, n)),
    array(select p - (%(entries)s -> 0 ->> 'seq')::bigint + 1 + last.seq
          from unnest(%(payload_seqs)s::bigint[]) p order by p),
    %(salts)s::bytea[], %(bodies)s::jsonb[], %(gone)s, %(listed)s,
    last.seq + jsonb_array_length(%(entries)s), %(hash)s,
    %(open_plan)s::text, %(is_active)s, %(stands)s::text) from last

-- name: read_without_a_lock
select seq, hash, open_plan, user_id from thread_head where thread_id = %(thread_id)s
