-- Statements of LangGraph's checkpointer: what it puts in a row of statements, each as a whole. One
-- statement is one transaction with the look whether its process is still the thread's runner; what
-- is written outside of a run has no epoch, and nothing to look at.

-- name: put
-- A checkpoint, and beside its parent what tasks returned there: nobody waits for that but a node that
-- runs again.
with fence as materialized (
    select count(*) from (
        select refuse_overtaken_runner(%(thread_id)s, %(epoch)s) where %(epoch)s::bigint is not null
    ) looked
), blobs as (
    insert into checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    select %(thread_id)s, %(checkpoint_ns)s, b.* from fence, unnest(
        %(channels)s::text[], %(versions)s::text[], %(types)s::text[], %(blobs)b::bytea[]) b
    on conflict (thread_id, checkpoint_ns, channel, version) do nothing
), writes as (
    insert into checkpoint_writes (
        thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob)
    select %(thread_id)s, %(checkpoint_ns)s, %(parent_id)s, w.* from fence, unnest(
        %(tasks)s::text[], %(paths)s::text[], %(places)s::int[],
        %(written)s::text[], %(written_types)s::text[], %(written_blobs)b::bytea[]) w
    on conflict (thread_id, checkpoint_ns, checkpoint_id, task_id, idx) do nothing
)
insert into checkpoints (
    thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
select
    %(thread_id)s, %(checkpoint_ns)s, %(checkpoint_id)s, %(parent_id)s::text, %(checkpoint)s::jsonb,
    %(metadata)s::jsonb
from fence
on conflict (thread_id, checkpoint_ns, checkpoint_id) do update
set checkpoint = excluded.checkpoint, metadata = excluded.metadata

-- name: put_writes
with fence as materialized (
    select count(*) from (
        select refuse_overtaken_runner(%(thread_id)s, %(epoch)s) where %(epoch)s::bigint is not null
    ) looked
)
insert into checkpoint_writes (
    thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob)
select %(thread_id)s, %(checkpoint_ns)s, %(checkpoint_id)s, %(task_id)s, %(task_path)s, w.*
from fence, unnest(
    %(places)s::int[], %(channels)s::text[], %(types)s::text[], %(blobs)b::bytea[]) w
on conflict (thread_id, checkpoint_ns, checkpoint_id, task_id, idx) do nothing

-- name: put_writes_anew
with fence as materialized (
    select count(*) from (
        select refuse_overtaken_runner(%(thread_id)s, %(epoch)s) where %(epoch)s::bigint is not null
    ) looked
)
insert into checkpoint_writes (
    thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob)
select %(thread_id)s, %(checkpoint_ns)s, %(checkpoint_id)s, %(task_id)s, %(task_path)s, w.*
from fence, unnest(
    %(places)s::int[], %(channels)s::text[], %(types)s::text[], %(blobs)b::bytea[]) w
on conflict (thread_id, checkpoint_ns, checkpoint_id, task_id, idx) do update
set channel = excluded.channel, type = excluded.type, blob = excluded.blob

-- name: asked
-- What the newest checkpoint of a thread asks; without the values of the state beside it.
select thread_id, checkpoint_ns, checkpoint_id, task_id, idx, type, blob
from checkpoint_writes
where thread_id = %(thread_id)s and checkpoint_ns = '' and channel = '__interrupt__'
  and checkpoint_id = (
    select checkpoint_id from checkpoints
    where thread_id = %(thread_id)s and checkpoint_ns = ''
    order by checkpoint_id desc limit 1)
