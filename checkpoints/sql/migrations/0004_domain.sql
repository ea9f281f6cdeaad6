-- Which domain a thread is of: two agents may share a database, and neither can read the other's
-- state. Threads from before it was written down are let in by every domain.
alter table thread add column domain text;

-- A thread is at work once it has received something; until then nobody need take it up.
alter table thread alter column status set default 'idle';
