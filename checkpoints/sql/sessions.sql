-- Statements of sessions at the console, and of what is open by a token or a session, by name.

-- name: begin
select begin_session(%(token_id)s, %(token_digest)s, %(digest)s, %(lifetime)s) as is_begun

-- name: find
select s.user_id, p.role, p.stands_for, s.token_id
from session s join token t using (token_id) cross join lateral standing_in(s.user_id, s.role) p
where s.digest = %(digest)s and s.ended_at is null and s.expires_at > daybook_now()
  and t.revoked_at is null and t.expires_at > daybook_now()

-- name: end
select end_session(%(digest)s)

-- name: good
-- Of all that is open, in one look.
select
    array(
        select token_id from token
        where token_id = any(%(token_ids)s)
          and revoked_at is null and expires_at > daybook_now()) as token_ids,
    array(
        select s.digest
        from session s join token t using (token_id)
        where s.digest = any(%(sessions)s) and s.ended_at is null
          and s.expires_at > daybook_now()
          and t.revoked_at is null and t.expires_at > daybook_now()) as sessions,
    exists (select from token) as were_made
