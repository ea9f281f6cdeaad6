-- What happened since the last look is read for the metrics. Rows come in the order of their time, so
-- an index of ranges finds them, and costs next to nothing to keep.
create index ledger_event_by_time on ledger_event using brin (at) with (autosummarize = on);
