-- Notifications, by name. Row-level security leaves this tenant's rows.

-- name: keep_on
-- Renews what has questions noted; the work list alone says which still wait of before that.
insert into notification_switch (tenant_id, program, until)
values (%(tenant_id)s, %(program)s, daybook_now() + interval '1 day')
on conflict (tenant_id, program) do update set until = excluded.until

-- name: note_waiting
select note_question(it.step, it.named, it.is_doubt, true)
from (
    select s as step, s.thread_id, s.plan_id as named, false as is_doubt
    from open_step s where s.asks is not null
    union all
    select s, s.thread_id, s.op || '/' || s.gen, true
    from open_step s where s.state in ('in_doubt', 'stuck')) it
join thread t using (thread_id)
where t.status <> 'closed' and coalesce(t.domain, %(program)s) = %(program)s

-- name: unrouted
select notification_id, kind, thread_id, plan_id, question, tool, role from notification
where routed_at is null and coalesce(program, %(program)s) = %(program)s
order by seq limit %(most)s

-- name: note_presence
insert into presence (tenant_id, user_id, role) values (%(tenant_id)s, %(user_id)s, %(role)s)
on conflict (tenant_id, user_id) do update set seen_at = excluded.seen_at, role = excluded.role
where presence.seen_at <= excluded.seen_at - interval '20 s' or presence.role <> excluded.role

-- name: attended
-- Whether somebody other than the owner looks at the inbox.
select exists (
    select from presence p join notification n on p.user_id <> n.user_id
    where n.notification_id = %(notification_id)s and p.role = any(%(roles)s)
      and (%(people)s::text[] = '{}' or p.user_id = any(%(people)s))
      and p.seen_at > daybook_now() - interval '60 s') as is_attended

-- name: route
with taken as (
    update notification set routed_at = daybook_now()
    where notification_id = %(notification_id)s and routed_at is null
    returning notification_id, tenant_id, at
)
insert into notification_delivery (tenant_id, notification_id, route, kind, due_at)
select t.tenant_id, t.notification_id, r.route, r.kind, t.at + r.after * interval '1 s'
from taken t, unnest(%(routes)s::text[], %(kinds)s::text[], %(afters)s::float[]) r (route, kind, after)

-- name: route_end
-- To whom the question may have gone. What has not begun to go out does not.
with taken as (
    update notification set routed_at = daybook_now()
    where notification_id = %(notification_id)s and routed_at is null
    returning notification_id, tenant_id, question, kind, at
), earlier as (
    select d.delivery_id, d.route, d.state, d.tries, d.lease_until, t.tenant_id, t.notification_id as told,
        t.kind as ending, t.at
    from taken t
    join notification n on n.tenant_id = t.tenant_id and n.question = t.question
    join notification_delivery d on d.notification_id = n.notification_id
    where d.kind not in ('settled', 'expired')
), over as (
    update notification_delivery d set state = 'over'
    from earlier e
    where d.delivery_id = e.delivery_id and d.state = 'pending' and d.lease_until <= daybook_now()
)
insert into notification_delivery (tenant_id, notification_id, route, kind, due_at)
select distinct tenant_id, told, route, ending, at from earlier
where tries > 0 and route = any(%(routes)s)

-- name: claim
with due as (
    select d.delivery_id
    from notification_delivery d join notification n using (notification_id)
    where d.state = 'pending' and d.due_at <= (select daybook_now())
      and d.lease_until <= (select daybook_now())
      and coalesce(n.program, %(program)s) = %(program)s and d.route <> all(%(held)s)
      -- The end comes after whatever is still under way.
      and (d.kind not in ('settled', 'expired') or not exists (
          select from notification q join notification_delivery o using (notification_id)
          where q.tenant_id = n.tenant_id and q.question = n.question and q.seq < n.seq
            and o.route = d.route and o.state = 'pending'))
    order by d.due_at, n.seq
    limit %(most)s
    for update of d skip locked
)
update notification_delivery d
set lease_until = daybook_now() + %(lease)s, tries = tries + 1
from due, notification n
where d.delivery_id = due.delivery_id and n.notification_id = d.notification_id
returning d.delivery_id::text, d.route, d.kind, d.tries, n.program, n.thread_id, n.user_id, n.plan_id,
    n.question, n.tool, n.role, n.deadline, n.outcome, n.author, n.at,
    exists (
        select from open_step s join thread t using (thread_id)
        where s.thread_id = n.thread_id and s.plan_id = n.plan_id and t.status <> 'closed' and case
            when n.kind = 'question'
            then s.asks is not null and (s.due_at is null or s.due_at > daybook_now())
            else s.state in ('in_doubt', 'stuck') and s.op || '/' || s.gen = n.question end) as waits,
    array(
        select o.reference from notification q join notification_delivery o using (notification_id)
        where q.tenant_id = n.tenant_id and q.question = n.question and q.seq < n.seq
          and o.route = d.route and o.reference is not null) as earlier

-- name: sent
update notification_delivery
set state = %(state)s, sent_at = daybook_now(), reference = %(reference)s, error = ''
where delivery_id = %(delivery_id)s and state = 'pending'

-- name: failed
-- Twice as long each time, up to an hour.
update notification_delivery
set state = case when tries >= %(most_tries)s then 'dead' else 'pending' end,
    due_at = daybook_now()
        + greatest(%(after)s, least(3600, 2 * 2 ^ least(tries, 12))) * interval '1 s',
    lease_until = '-infinity', error = %(error)s
where delivery_id = %(delivery_id)s and state = 'pending'

-- name: revive
update notification_delivery
set state = 'pending', tries = 0, due_at = daybook_now(), lease_until = '-infinity'
where state = 'dead'

-- name: counted
select route, state, count(*) as deliveries, max(error) as error from notification_delivery
group by route, state order by route, state

-- name: dead
select count(*) as dead from notification_delivery where state = 'dead'

-- name: delivered
select n.thread_id, n.question, d.reference
from notification_delivery d join notification n using (notification_id)
where d.delivery_id = %(delivery_id)s and d.route = any(%(routes)s) and n.kind = 'question'

-- name: purge
delete from notification n
where n.at < daybook_now() - interval '30 days' and not exists (
    select from open_step s where s.thread_id = n.thread_id and s.plan_id = n.plan_id
      and (s.asks is not null or s.state in ('in_doubt', 'stuck')))

-- name: forget_requests
delete from signed_request where at < daybook_now() - interval '1 hour'

-- name: forget_presence
delete from presence where seen_at < daybook_now() - interval '1 hour'

-- name: use_request
insert into signed_request (tenant_id, digest) values (%(tenant_id)s, %(digest)s)
on conflict do nothing
