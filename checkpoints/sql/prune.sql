-- name: prune
-- Keep the checkpoints of the turn that ended and the last one before it; delete what is older. One
-- statement, so one snapshot: what a run commits meanwhile is neither seen nor deleted. Comparisons
-- are by `<` because the writes of a step may be committed before their checkpoint.
with turn as (
    select coalesce(parent_checkpoint_id, checkpoint_id) as first
    from checkpoints
    where thread_id = %(thread_id)s and checkpoint_ns = '' and metadata ->> 'source' = 'input'
    order by checkpoint_id desc
    limit 1
), older as (
    delete from checkpoints c using turn
    where c.thread_id = %(thread_id)s and c.checkpoint_id < turn.first
), orphaned as (
    update checkpoints c set parent_checkpoint_id = null from turn
    where c.thread_id = %(thread_id)s and c.checkpoint_ns = ''
      and c.checkpoint_id = turn.first and c.parent_checkpoint_id is not null
), older_writes as (
    delete from checkpoint_writes w using turn
    where w.thread_id = %(thread_id)s and w.checkpoint_id < turn.first
)
delete from checkpoint_blobs b using turn
where b.thread_id = %(thread_id)s
  and not exists (
    select from checkpoints c
    where c.thread_id = b.thread_id
      and c.checkpoint_ns = b.checkpoint_ns
      and c.checkpoint_id >= turn.first
      and c.checkpoint -> 'channel_versions' ->> b.channel = b.version)
