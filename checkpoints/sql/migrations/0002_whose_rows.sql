-- Whose every row is: a person on the thread's head and on the work list, a tenant on the
-- checkpointer's rows, which row-level security had not reached.

-- Row-level security is forced on the owner too. It is lifted while existing rows are filled, or an
-- owner who is no superuser would fill none of them; nobody else gets in before the commit.
alter table thread no force row level security;
alter table thread_head no force row level security;
alter table open_step no force row level security;

alter table thread_head add column user_id text;
update thread_head h set user_id = t.user_id from thread t where t.thread_id = h.thread_id;
alter table thread_head alter column user_id set not null;

alter table open_step add column user_id text;
update open_step s set user_id = t.user_id from thread t where t.thread_id = s.thread_id;
alter table open_step alter column user_id set not null;

-- The checkpointer names its columns and knows none of ours: the tenant comes from the session. A
-- session without one, or with one that was taken back (which leaves an empty text), writes nothing.
do $$
declare t text;
begin
    foreach t in array array['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'] loop
        execute format('alter table %I add column tenant_id text not null default %L', t, 'default');
        execute format(
            'update %I c set tenant_id = t.tenant_id from thread t '
            'where t.thread_id = c.thread_id and t.tenant_id <> %L', t, 'default');
        execute format(
            'alter table %I alter column tenant_id '
            'set default nullif(current_setting(%L, true), %L)', t, 'daybook.tenant', '');
        execute format('alter table %I enable row level security', t);
        execute format('alter table %I force row level security', t);
        execute format(
            'create policy of_this_tenant on %I using (tenant_id = current_setting(%L, true)) '
            'with check (tenant_id = current_setting(%L, true))', t, 'daybook.tenant',
            'daybook.tenant');
    end loop;
end $$;

alter table thread force row level security;
alter table thread_head force row level security;
alter table open_step force row level security;

-- What has been idle for long is looked for by this.
create index thread_by_activity on thread (tenant_id, last_activity);
