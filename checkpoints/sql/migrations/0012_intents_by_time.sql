-- The console's search goes through what was intended, over all threads, newest first.
create index ledger_event_intended on ledger_event (tenant_id, at desc, thread_id desc, seq desc)
where event = 'intended';
