-- Statements of tokens, by name. Those that write run as the owner of the database, who may be
-- superuser and see every tenant: each of these names the tenant.

-- name: find
select t.user_id, p.role, p.stands_for, digest, revoked_at is null and expires_at > daybook_now() as is_good
from token t cross join lateral standing_in(t.user_id, t.role) p
where token_id = %(token_id)s

-- name: were_made
select exists (select from token) as were_made

-- name: all
select token_id, user_id, role, note, made_at, expires_at, revoked_at,
    revoked_at is null and expires_at > daybook_now() as is_good
from token
order by made_at, token_id

-- name: make
insert into token (token_id, tenant_id, user_id, role, digest, note, expires_at)
values (
    %(token_id)s, %(tenant_id)s, %(user_id)s, %(role)s, %(digest)s, %(note)s,
    daybook_now() + %(lifetime)s)
returning token_id, user_id, role, note, made_at, expires_at, revoked_at, true as is_good

-- name: revoke
update token set revoked_at = coalesce(revoked_at, daybook_now())
where tenant_id = %(tenant_id)s and token_id = %(token_id)s
returning user_id

-- name: revoke_all
-- A note may say something of the person.
update token set revoked_at = coalesce(revoked_at, daybook_now()), note = ''
where tenant_id = %(tenant_id)s and user_id = %(user_id)s
returning token_id

-- name: forget_presence
delete from presence where tenant_id = %(tenant_id)s and user_id = %(user_id)s

-- name: forget_sessions
delete from session where tenant_id = %(tenant_id)s and user_id = %(user_id)s
