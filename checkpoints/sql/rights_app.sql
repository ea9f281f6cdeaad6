-- Rights of daybook_app, granted where the role can be had; granting them again changes nothing.

do $$ begin
    execute format('grant usage on schema %I to daybook_app', current_schema);
    -- By name: where default privileges were taken from everybody, nobody else may.
    execute format('grant execute on all functions in schema %I to daybook_app', current_schema);
end $$;
grant select on migration, cluster, ledger_total to daybook_app;
-- The libraries' tables. Those of procrastinate have no tenant: they name threads and hold nothing of
-- what is in them. They are there once a process with workers has migrated.
grant select, insert, update, delete on
    checkpoints, checkpoint_blobs, checkpoint_writes, checkpoint_migrations
    to daybook_app;
do $$ begin
    if to_regclass('procrastinate_jobs') is not null then
        grant select, insert, update, delete on
            procrastinate_jobs, procrastinate_workers, procrastinate_events,
            procrastinate_periodic_defers
            to daybook_app;
        grant usage on sequence
            procrastinate_jobs_id_seq, procrastinate_workers_id_seq, procrastinate_events_id_seq
            to daybook_app;
    end if;
end $$;
grant select, insert on ledger_event, ledger_payload to daybook_app;
grant select, insert, update, delete on open_step to daybook_app;
grant select, insert, update (counts) on spending to daybook_app;
grant select, insert on model_usage to daybook_app;
grant select, insert, delete on effect_reference to daybook_app;
-- The user and the domain of a thread never change.
grant select, insert, update (status, last_activity) on thread to daybook_app;
-- FOR UPDATE needs the right to update some column; row-level security holds this one to its value.
grant select, insert, update (tenant_id) on thread_head to daybook_app;
-- What a provider sent stays as it was sent; own_event adds to it.
grant select, insert (tenant_id, source, event_id, about, reference, newness, facts)
    on outside_event to daybook_app;
grant select, insert, update on read_call, runner, tool_rule, declared_effect, lesson to daybook_app;
grant delete on declared_effect to daybook_app;
grant select, insert on progress, encryption to daybook_app;
grant insert on history_scope to daybook_app;
grant select, insert, update, delete on thread_lease, fact to daybook_app;
grant select, insert, update on notification_switch to daybook_app;
grant select, insert, update, delete on notification, notification_delivery to daybook_app;
grant select, insert, delete on signed_request to daybook_app;
grant select, insert, update, delete on presence to daybook_app;
-- Only the owner makes tokens and revokes them.
grant select on token, session, delegation to daybook_app;
