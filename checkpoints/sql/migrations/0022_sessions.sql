-- Who is signed in at the console: a session of its own, begun with a token and ended with it, at its
-- sign-out or after its time. Of its secret only the SHA-256 is kept, as of a token's.
create table session (
    digest     bytea primary key check (length(digest) = 32),
    tenant_id  text not null,
    user_id    text not null,
    role       text not null check (role in ('customer', 'clerk', 'operator')),
    token_id   text not null references token,
    begun_at   timestamptz not null default daybook_now(),
    expires_at timestamptz not null,
    ended_at   timestamptz
);
create index session_of_token on session (token_id);
create index session_of_user on session (tenant_id, user_id);

alter table session enable row level security;
alter table session force row level security;
create policy of_this_tenant on session
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));

-- Who serves looks sessions up. They are begun and ended by these functions of the owner alone: nobody
-- becomes somebody without a token of theirs. The owner may be superuser and see every tenant, and a
-- temporary table of a caller must not be taken for one of ours.
create function begin_session(
    of_token text, by_digest bytea, session_digest bytea, lifetime interval) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    delete from session s
    where s.tenant_id = current_setting('daybook.tenant', true)
      and s.expires_at < daybook_now() - interval '1 day';
    insert into session (digest, tenant_id, user_id, role, token_id, expires_at)
    select session_digest, t.tenant_id, t.user_id, t.role, t.token_id,
        least(daybook_now() + lifetime, t.expires_at)
    from token t
    where t.tenant_id = current_setting('daybook.tenant', true)
      and t.token_id = of_token and t.digest = by_digest
      and t.revoked_at is null and t.expires_at > daybook_now();
    return found;
end $$;

create function end_session(session_digest bytea) returns void
language sql security definer set search_path = public, pg_temp as $$
    update session set ended_at = coalesce(ended_at, daybook_now())
    where tenant_id = current_setting('daybook.tenant', true) and digest = session_digest;
$$;

revoke execute on function begin_session, end_session from public;
grant execute on function begin_session, end_session to daybook_app;
grant select on session to daybook_app;
