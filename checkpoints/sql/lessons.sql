-- Statements of lessons, by name. Row-level security leaves this tenant's rows.

-- name: live
select tool, flow, error, count, people, helped, missed
from lesson
where retired_at is null
order by last_at desc, tool, flow, error
limit 100

-- name: all
select tool, flow, error, count, people, helped, missed, retired_at
from lesson
order by retired_at is not null, tool, flow, error

-- name: failed
-- The condition is checked under the row's lock: of two writers of one call the second counts none.
insert into lesson as known (tenant_id, tool, flow, error, count, missed, people, evidence)
values (current_setting('daybook.tenant'), %(tool)s, %(flow)s, %(error)s, 1,
    (%(outcome)s::text = 'missed')::integer,
    (select count(*) from thread where thread_id = %(thread_id)s),
    jsonb_build_array(%(evidence)s))
on conflict (tenant_id, tool, flow, error) do update set
    count = known.count + 1,
    missed = known.missed + excluded.missed,
    people = greatest(known.people, (
        select count(distinct thread.user_id)
        from jsonb_array_elements(known.evidence || excluded.evidence) as one
        join thread on thread.thread_id = one ->> 'thread_id')),
    evidence = jsonb_path_query_array(known.evidence || excluded.evidence, '$[last - 4 to last]'),
    last_at = daybook_now(),
    -- Shown three times in vain, and more often than it helped.
    retired_at = case when known.missed + excluded.missed >= greatest(3, known.helped + 1)
                      then coalesce(known.retired_at, daybook_now()) else known.retired_at end
where not known.evidence @> excluded.evidence

-- name: helped
update lesson set
    helped = helped + 1,
    evidence = jsonb_path_query_array(evidence || %(evidence)s, '$[last - 4 to last]'),
    last_at = daybook_now()
where tool = %(tool)s and flow = %(flow)s and error = %(error)s
  and not evidence @> jsonb_build_array(%(evidence)s)

-- name: retire
update lesson set retired_at = daybook_now()
where tool = %(tool)s and (%(error)s::text is null or error = %(error)s)
  and retired_at is null
returning tool, flow, error, count, people, helped, missed, retired_at
