-- Statements of progress documents, by name.

-- name: keep
-- A node that runs again finds the document that it wrote before.
insert into progress (thread_id, version, tenant_id, user_id, epoch, covers, last, why, body)
select %(thread_id)s, coalesce(max(version), 0) + 1, %(tenant_id)s, %(user_id)s, %(epoch)s,
    %(covers)s, %(last)s, %(why)s, %(body)s
from progress where thread_id = %(thread_id)s
on conflict on constraint one_document do nothing
returning version

-- name: kept
select thread_id, version, epoch, covers, last, why, body, at from progress
where thread_id = %(thread_id)s and epoch = %(epoch)s and covers = %(covers)s and last = %(last)s

-- name: versions
select thread_id, version, epoch, covers, last, why, body, at from progress
where thread_id = %(thread_id)s
order by version
