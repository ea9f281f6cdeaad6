-- A lesson is shown once it was learnt from several people: of how many is counted, and not of whom.
alter table lesson add column people integer not null default 0 check (people >= 0);

-- Row-level security is forced on the owner too, who fills what is there already.
alter table lesson no force row level security;
alter table thread no force row level security;
update lesson set people = (
    select count(distinct (thread.tenant_id, thread.user_id))
    from jsonb_array_elements(lesson.evidence) as one
    join thread on thread.thread_id = one ->> 'thread_id' and thread.tenant_id = lesson.tenant_id);
alter table lesson force row level security;
alter table thread force row level security;
