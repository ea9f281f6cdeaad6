-- Statements of forgetting and retention, by name. They run as the owner of the database, who may be
-- superuser and see every tenant: each names the tenant.

-- name: of_person
select thread_id from thread
where tenant_id = %(tenant_id)s and user_id = %(user_id)s
order by created_at, thread_id

-- name: outlasted
-- Of so many threads, those that were active longest ago first: in which of them something outlasted
-- its period. Each is looked up by itself: what exists anywhere would be read whole.
with seen as (
    select thread_id, last_activity, status, daybook_now() - last_activity as since
    from thread
    where tenant_id = %(tenant_id)s
      and last_activity < (select daybook_now()) - %(shortest)s::interval
      and (last_activity, thread_id) > (%(after_at)s::timestamptz, %(after)s)
    order by last_activity, thread_id
    limit %(most)s
)
select thread_id, last_activity, status in ('idle', 'closed') and (
    since > %(checkpoints)s and coalesce(
        (select true from checkpoints c where c.thread_id = seen.thread_id limit 1),
        (select true from checkpoint_blobs b where b.thread_id = seen.thread_id limit 1),
        (select true from checkpoint_writes w where w.thread_id = seen.thread_id limit 1),
        false)
    or since > %(reads)s and coalesce(
        (select true from read_call r where r.thread_id = seen.thread_id limit 1),
        (select true from progress p where p.thread_id = seen.thread_id limit 1),
        false)
    or since > %(payloads)s and coalesce(
        (select true from ledger_payload p where p.thread_id = seen.thread_id limit 1),
        (select true from outside_event o where o.thread_id = seen.thread_id limit 1),
        false)
    ) as is_outlasted
from seen
order by last_activity, thread_id

-- name: lock
select from thread_head
where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s
for update

-- name: overtake
-- What its last runner still writes beside the ledger is refused from now on.
update runner set epoch = epoch + 1, process = null
where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: held
select t.thread_id, t.status, daybook_now() - t.last_activity as idle, h.open_plan,
    array(
        select s.op || '/' || s.gen from open_step s
        where s.thread_id = t.thread_id
          -- A doubt after the pivot (a mail) held nothing back, and nothing will come of it.
          and not (s.state = 'in_doubt' and s.plan_id is distinct from h.open_plan)
        order by s.op) as open_steps,
    (select count(*) from checkpoints c where c.thread_id = t.thread_id)
        + (select count(*) from checkpoint_blobs b where b.thread_id = t.thread_id)
        + (select count(*) from checkpoint_writes w where w.thread_id = t.thread_id) as checkpoints,
    (select count(*) from read_call r where r.thread_id = t.thread_id)
        + (select count(*) from progress p where p.thread_id = t.thread_id) as reads,
    (select count(*) from ledger_payload p where p.thread_id = t.thread_id)
        + (select count(*) from outside_event o where o.thread_id = t.thread_id) as payloads
from thread t left join thread_head h using (thread_id)
where t.tenant_id = %(tenant_id)s and t.thread_id = any(%(threads)s)
order by array_position(%(threads)s, t.thread_id)

-- name: erase_checkpoints
delete from checkpoints where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_blobs
delete from checkpoint_blobs where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_writes
delete from checkpoint_writes where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_documents
delete from progress where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_reads
delete from read_call where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_payloads
delete from ledger_payload where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_spending
-- It holds amounts: what the thread moved counts against no limit any more.
delete from spending s using ledger_event e
where e.tenant_id = %(tenant_id)s and e.thread_id = %(thread_id)s and e.event = 'intended'
  and s.tenant_id = e.tenant_id and s.op = e.op and s.gen = e.gen

-- name: unname_usage
-- What models took stays for the tenant's budgets; of a thread that is kept, for the user's too.
update model_usage u set user_id = '', thread_id = ''
where u.tenant_id = %(tenant_id)s and u.user_id = %(user_id)s and not exists (
    select from thread t where t.thread_id = u.thread_id and t.status <> 'closed')

-- name: drop_usage
delete from model_usage
where tenant_id = %(tenant_id)s and at < (select daybook_now()) - %(after)s::interval

-- name: erase_outside
delete from outside_event where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_doubts
-- What is left on the work list here is a doubt about a plan that is over.
delete from open_step where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_notifications
delete from notification where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: close
update thread set status = 'closed'
where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s and status <> 'closed'
