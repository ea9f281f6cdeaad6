-- Statements of the read cache, by name. What may be encrypted is selected with what names its row.

-- name: live_reads
select distinct on (args_hash) args_hash, handle, result, thread_id, turn_id, call
from read_call
where thread_id = %(thread_id)s and cache = 'miss' and stale_at is null
  and expires_at > daybook_now() and args_hash = any(%(hashes)s)
order by args_hash, handle desc

-- name: last_handle
select coalesce(max(handle), 0) as handle from read_call where thread_id = %(thread_id)s

-- name: reads_of_decision
select r.thread_id, r.turn_id, r.call, r.handle, r.cache, r.tool, r.args, r.hidden,
    m.result, m.turn_id as result_turn_id, m.call as result_call
from read_call r
join read_call m on m.thread_id = r.thread_id and m.handle = r.handle and m.cache <> 'hit'
where r.thread_id = %(thread_id)s and r.turn_id = %(turn_id)s and r.call = any(%(calls)s)

-- name: keep_read
insert into read_call (
    thread_id, turn_id, call, tenant_id, user_id, handle, cache, tool, args, args_hash, result,
    hidden, tags, expires_at)
values (
    %(thread_id)s, %(turn_id)s, %(call)s, %(tenant_id)s, %(user_id)s,
    coalesce(%(handle)s::integer,
        (select coalesce(max(handle), 0) + 1 from read_call where thread_id = %(thread_id)s)),
    %(cache)s, %(tool)s, %(args)s, %(args_hash)s, %(result)s, %(hidden)s, %(tags)s,
    daybook_now() + %(lifetime)s * interval '1 second')
on conflict (thread_id, turn_id, call) do update set call = excluded.call
returning handle

-- name: results
select r.thread_id, r.turn_id, r.call, r.handle, r.cache, r.tool, r.args, r.hidden,
    m.result, m.turn_id as result_turn_id, m.call as result_call
from read_call r
join read_call m on m.thread_id = r.thread_id and m.handle = r.handle and m.cache <> 'hit'
where r.thread_id = %(thread_id)s and r.turn_id = %(turn_id)s and r.call = any(%(calls)s)

-- name: results_after
select r.thread_id, r.turn_id, r.call, r.handle, r.cache, r.tool, r.args, r.hidden,
    m.result, m.turn_id as result_turn_id, m.call as result_call
from read_call r
join read_call m on m.thread_id = r.thread_id and m.handle = r.handle and m.cache <> 'hit'
where r.thread_id = %(thread_id)s and r.turn_id = any(array(
    select distinct turn_id from ledger_event
    where thread_id = %(thread_id)s and seq > %(after)s and turn_id is not null))

-- name: stale_handles
select handle from read_call
where thread_id = %(thread_id)s and stale_at is not null
order by handle

-- name: reads_of_turns
select r.thread_id, r.turn_id, r.call, r.handle, r.cache, r.tool, r.args, r.hidden, r.read_at,
       m.result, m.turn_id as result_turn_id, m.call as result_call, m.stale_at is not null as superseded
from read_call r
join read_call m on m.thread_id = r.thread_id and m.handle = r.handle and m.cache <> 'hit'
where r.thread_id = %(thread_id)s and r.turn_id = any(%(turns)s)
order by r.handle, r.read_at

-- name: mark_stale
update read_call set stale_at = daybook_now()
where thread_id = %(thread_id)s and stale_at is null and tags && %(tags)s

-- name: latest_reads
-- What can be opened again and is not out of date, newest first.
select r.thread_id, r.turn_id, r.call, r.handle, r.cache, r.tool, r.args, r.hidden, r.result
from read_call r
where r.thread_id = %(thread_id)s and r.cache = 'miss' and r.stale_at is null
order by r.handle desc
limit %(most)s

-- name: read_of_handle
select r.thread_id, r.turn_id, r.call, r.handle, r.cache, r.tool, r.args, r.hidden, r.result,
       r.stale_at is not null as superseded
from read_call r
where r.thread_id = %(thread_id)s and r.handle = %(handle)s and r.cache in ('miss', 'uncached')
