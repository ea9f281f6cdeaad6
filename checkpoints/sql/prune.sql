-- name: prune
-- Keep the newest checkpoints of the turn that ended, its input, and the last one before the turn;
-- delete what is older, and the pending writes of all but the head. Without a turn nothing goes. One
-- statement, so one snapshot: what is deleted in one part is still seen by the others.
with turn as (
    select checkpoint_id as input, coalesce(parent_checkpoint_id, checkpoint_id) as before
    from checkpoints
    where thread_id = %(thread_id)s and checkpoint_ns = '' and metadata ->> 'source' = 'input'
    order by checkpoint_id desc
    limit 1
), newest as (
    select c.checkpoint_id
    from checkpoints c, turn
    where c.thread_id = %(thread_id)s and c.checkpoint_ns = '' and c.checkpoint_id >= turn.before
    order by c.checkpoint_id desc
    limit %(keep)s
), kept as (
    select checkpoint_id from newest
    union select before from turn
    union select input from turn
), doomed as (
    select c.checkpoint_ns, c.checkpoint_id
    from checkpoints c
    where c.thread_id = %(thread_id)s
      and c.checkpoint_id < (select max(checkpoint_id) from kept)
      and c.checkpoint_id not in (select checkpoint_id from kept)
), older as (
    delete from checkpoints c using doomed d
    where c.thread_id = %(thread_id)s
      and c.checkpoint_ns = d.checkpoint_ns and c.checkpoint_id = d.checkpoint_id
), orphaned as (
    update checkpoints c set parent_checkpoint_id = null
    where c.thread_id = %(thread_id)s and c.checkpoint_ns = ''
      and c.checkpoint_id not in (select checkpoint_id from doomed)
      and c.parent_checkpoint_id in (select checkpoint_id from doomed)
), older_writes as (
    delete from checkpoint_writes w
    where w.thread_id = %(thread_id)s
      and w.checkpoint_id < (select max(checkpoint_id) from kept)
)
delete from checkpoint_blobs b using turn
where b.thread_id = %(thread_id)s
  and not exists (
    select from checkpoints c
    where c.thread_id = b.thread_id
      and c.checkpoint_ns = b.checkpoint_ns
      and (c.checkpoint_ns, c.checkpoint_id) not in (
        select checkpoint_ns, checkpoint_id from doomed)
      and c.checkpoint -> 'channel_versions' ->> b.channel = b.version)
