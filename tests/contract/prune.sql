-- Prune a thread to its last checkpoint and the blobs that this one refers to.
--
-- One statement is one snapshot: what a run commits meanwhile is neither seen nor deleted. Ids of
-- checkpoints grow with time, in every namespace, so "older than the head" is a comparison; it is
-- not "any but the head", because the writes of a step may be committed before its checkpoint.
-- Rows of a subgraph call (checkpoint_ns 'node:task') go with the step that made the call.
-- Run it under the lock of the thread: a run that forks from an older checkpoint needs its blobs.
WITH head AS (
    SELECT checkpoint_id
    FROM checkpoints
    WHERE thread_id = %(thread_id)s AND checkpoint_ns = ''
    ORDER BY checkpoint_id DESC
    LIMIT 1
), older AS (
    DELETE FROM checkpoints c USING head
    WHERE c.thread_id = %(thread_id)s AND c.checkpoint_id < head.checkpoint_id
), orphaned AS (
    UPDATE checkpoints c SET parent_checkpoint_id = NULL FROM head
    WHERE c.thread_id = %(thread_id)s AND c.checkpoint_ns = ''
      AND c.checkpoint_id = head.checkpoint_id AND c.parent_checkpoint_id IS NOT NULL
), older_writes AS (
    DELETE FROM checkpoint_writes w USING head
    WHERE w.thread_id = %(thread_id)s AND w.checkpoint_id < head.checkpoint_id
)
DELETE FROM checkpoint_blobs b USING head
WHERE b.thread_id = %(thread_id)s
  AND NOT EXISTS (
    SELECT FROM checkpoints c
    WHERE c.thread_id = b.thread_id
      AND c.checkpoint_ns = b.checkpoint_ns
      AND c.checkpoint_id >= head.checkpoint_id
      AND c.checkpoint -> 'channel_versions' ->> b.channel = b.version
  );
