-- Statements of delegations, by name. Those that write run as the owner, as in tokens.sql.

-- name: standing_in
select role, stands_for from standing_in(%(user_id)s, %(role)s)

-- name: delegations
select delegation_id, user_id, role, to_user, until, made_at, made_by, ended_at,
    ended_at is null and until > daybook_now() as is_good
from delegation
order by delegation_id

-- name: delegate
insert into delegation (tenant_id, user_id, role, to_user, until, made_by)
select %(tenant_id)s, %(user_id)s, %(role)s, %(to_user)s, %(until)s, %(made_by)s
where %(until)s > daybook_now()
returning delegation_id

-- name: end_delegation
update delegation set ended_at = coalesce(ended_at, daybook_now())
where tenant_id = %(tenant_id)s and delegation_id = %(delegation_id)s
returning to_user

-- name: forget_delegations
delete from delegation where tenant_id = %(tenant_id)s and %(user_id)s in (user_id, to_user)
