-- Statements of spans, by name.

-- name: keep
-- A thread that was never begun, or belongs to another tenant, keeps none.
insert into span_batch (thread_id, tenant_id, user_id, turn_id, spans)
select thread_id, tenant_id, user_id, %(turn_id)s, %(spans)s
from thread where thread_id = %(thread_id)s and status <> 'closed'

-- name: merge
-- The batches of a turn that is done become one: it compresses, and is read at once.
with gone as (
    delete from span_batch
    where thread_id = %(thread_id)s and turn_id = %(turn_id)s
    returning batch, tenant_id, user_id, spans
)
insert into span_batch (thread_id, tenant_id, user_id, turn_id, spans)
select %(thread_id)s, min(tenant_id), min(user_id), %(turn_id)s,
    jsonb_agg(one order by batch, place)
from gone, jsonb_array_elements(spans) with ordinality as each (one, place)
having count(*) > 0

-- name: bound
-- Of the turns of a thread the last ones stay.
delete from span_batch
where thread_id = %(thread_id)s and turn_id in (
    select turn_id from span_batch
    where thread_id = %(thread_id)s
    group by turn_id
    order by max(batch) desc
    offset %(most)s)

-- name: of_thread
select turn_id, spans from span_batch
where thread_id = %(thread_id)s
order by batch
