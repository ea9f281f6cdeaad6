-- What other sides told by themselves, by name. Row-level security leaves this tenant's rows.

-- name: keep
insert into outside_event (
    tenant_id, source, event_id, about, reference, newness, facts)
values (
    %(tenant_id)s, %(source)s, %(event_id)s, %(about)s, %(reference)s, %(newness)s, %(facts)s)
on conflict on constraint told_once do nothing
returning event_id

-- name: newest
-- Of what was told about something, what is newest by its own word, however late it came.
select source, event_id, about, reference, newness, facts, thread_id, user_id
from outside_event
where source = %(source)s and about = %(about)s
order by newness desc, received_at desc
limit 1

-- name: left
-- What nobody has taken up yet, oldest first.
select source, event_id, about, reference, newness, facts, thread_id, user_id
from outside_event
where taken_at is null and source = any(%(sources)s)
order by received_at
limit %(most)s

-- name: owned
select own_event(%(source)s, %(event_id)s, %(thread_id)s, %(is_taken)s)

-- name: owner
-- Whose step an effect belongs to, by what names it at the other side.
select i.thread_id, t.user_id, i.op, i.gen, i.plan_id
from effect_reference r
join ledger_event i on i.tenant_id = r.tenant_id and i.op = r.op and i.gen = r.gen
    and i.event = 'intended'
join thread t on t.thread_id = i.thread_id
where r.domain = %(domain)s and r.world = %(world)s and r.tool = %(tool)s
  and r.reference = %(reference)s
limit 1
