-- Statements of lessons, by name.

-- name: live
select tool, flow, error, advice, count, people, helped, missed
from lesson
where retired_at is null
order by last_at desc, tool, flow, error
limit 100

-- name: all
select tool, flow, error, advice, count, people, helped, missed, evidence, first_at, last_at, retired_at
from lesson
order by retired_at is not null, tool, flow, error

-- name: begin
insert into lesson (tenant_id, tool, flow, error, advice)
values (%(tenant_id)s, %(tool)s, %(flow)s, %(error)s, %(advice)s)
on conflict (tenant_id, tool, flow, error) do nothing

-- name: lock
select tool, flow, error, advice, count, people, helped, missed, evidence
from lesson
where tool = %(tool)s and flow = %(flow)s and error = %(error)s
for update

-- name: keep
update lesson set
    advice = %(advice)s, count = %(count)s, helped = %(helped)s, missed = %(missed)s,
    -- Two who follow each other both stand in the evidence, of which the last few are kept.
    people = greatest(people, (
        select count(distinct thread.user_id)
        from jsonb_array_elements(%(evidence)s) as one
        join thread on thread.thread_id = one ->> 'thread_id')),
    evidence = %(evidence)s, last_at = daybook_now(),
    retired_at = case when %(is_useless)s then coalesce(retired_at, daybook_now())
                      else retired_at end
where tool = %(tool)s and flow = %(flow)s and error = %(error)s

-- name: retire
update lesson set retired_at = daybook_now()
where tool = %(tool)s and (%(error)s::text is null or error = %(error)s)
  and retired_at is null
returning tool, flow, error
