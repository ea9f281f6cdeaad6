-- What went wrong is looked for over all threads, newest first; it is a small part of the ledger.
create index ledger_event_failed on ledger_event (tenant_id, at desc)
where event in (
    'failed', 'in_doubt', 'undone', 'undo_stuck', 'extra_undone',
    'expired', 'rejected', 'withdrawn', 'superseded', 'cancelled');
