-- The one clock of all statements and defaults: the server's. Its owner alone may replace it, which is
-- done for tests alone, where time is moved. A setting would not do: any client may write one.
create function daybook_now() returns timestamptz
    language sql volatile parallel safe
    return clock_timestamp();

alter table thread
    alter column created_at set default daybook_now(),
    alter column last_activity set default daybook_now();
alter table open_step alter column updated_at set default daybook_now();
alter table read_call alter column read_at set default daybook_now();
alter table token alter column made_at set default daybook_now();
alter table encryption alter column begun_at set default daybook_now();
alter table lesson
    alter column first_at set default daybook_now(),
    alter column last_at set default daybook_now();
alter table progress alter column at set default daybook_now();
