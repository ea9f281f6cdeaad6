-- Statements of forgetting and retention, by name. They run as the owner of the database, who may be
-- superuser and see every tenant: each names the tenant.

-- name: of_person
select thread_id from thread
where tenant_id = %(tenant_id)s and user_id = %(user_id)s
order by created_at, thread_id

-- name: outlasted
-- Threads in which something outlasted its period, a batch in the order of their ids.
with idle as (
    select thread_id, daybook_now() - last_activity as since
    from thread
    where tenant_id = %(tenant_id)s and status in ('idle', 'closed')
      and last_activity < daybook_now() - %(shortest)s::interval
      and thread_id > %(after)s
)
select thread_id from idle
where since > %(checkpoints)s and (
        exists (select from checkpoints c where c.thread_id = idle.thread_id)
        or exists (select from checkpoint_blobs b where b.thread_id = idle.thread_id)
        or exists (select from checkpoint_writes w where w.thread_id = idle.thread_id)
        or exists (select from span_batch s where s.thread_id = idle.thread_id))
   or since > %(reads)s and (
        exists (select from read_call r where r.thread_id = idle.thread_id)
        or exists (select from progress p where p.thread_id = idle.thread_id))
   or since > %(payloads)s and exists (
        select from ledger_payload p where p.thread_id = idle.thread_id)
order by thread_id
limit %(most)s

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
        + (select count(*) from checkpoint_writes w where w.thread_id = t.thread_id)
        + (select count(*) from span_batch s where s.thread_id = t.thread_id) as checkpoints,
    (select count(*) from read_call r where r.thread_id = t.thread_id)
        + (select count(*) from progress p where p.thread_id = t.thread_id) as reads,
    (select count(*) from ledger_payload p where p.thread_id = t.thread_id) as payloads
from thread t left join thread_head h using (thread_id)
where t.tenant_id = %(tenant_id)s and t.thread_id = any(%(threads)s)
order by array_position(%(threads)s, t.thread_id)

-- name: erase_checkpoints
delete from checkpoints where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_blobs
delete from checkpoint_blobs where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_writes
delete from checkpoint_writes where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_spans
delete from span_batch where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_documents
delete from progress where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_reads
delete from read_call where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_payloads
delete from ledger_payload where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: erase_doubts
-- What is left on the work list here is a doubt about a plan that is over.
delete from open_step where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s

-- name: close
update thread set status = 'closed'
where tenant_id = %(tenant_id)s and thread_id = %(thread_id)s and status <> 'closed'
