-- Statements of the rules of tools, by name. Row-level security leaves this tenant's rows.

-- name: rules
select tenant_id, tool, is_off, why, switched_by, switched_at, most, seconds, tokens, refilled_at,
    limited_by
from tool_rule

-- name: lock_rule
select tenant_id, tool, is_off, why, switched_by, switched_at, most, seconds, tokens, refilled_at,
    limited_by
from tool_rule
where tool = %(tool)s and (is_off or most is not null)
for update

-- name: now
select daybook_now() as now

-- name: keep_bucket
update tool_rule set tokens = %(tokens)s, refilled_at = %(refilled_at)s where tool = %(tool)s

-- name: switch
insert into tool_rule (tenant_id, tool, is_off, why, switched_by, switched_at)
values (current_setting('daybook.tenant'), %(tool)s, %(is_off)s, %(why)s, %(by)s, daybook_now())
on conflict (tenant_id, tool) do update
set is_off = excluded.is_off, why = excluded.why,
    switched_by = excluded.switched_by, switched_at = excluded.switched_at

-- name: stop
-- By the machine; what an operator said of a tool that is off already stays.
insert into tool_rule (tenant_id, tool, is_off, why, switched_by, switched_at)
values (current_setting('daybook.tenant'), %(tool)s, true, %(why)s, %(by)s, daybook_now())
on conflict (tenant_id, tool) do update
set is_off = true, why = excluded.why,
    switched_by = excluded.switched_by, switched_at = excluded.switched_at
where not tool_rule.is_off

-- name: limit
insert into tool_rule (
    tenant_id, tool, most, seconds, tokens, refilled_at, limited_by, limited_at)
values (
    current_setting('daybook.tenant'), %(tool)s, %(most)s, %(seconds)s, %(most)s,
    case when %(most)s::integer is not null then daybook_now() end, %(by)s, daybook_now())
on conflict (tenant_id, tool) do update
set most = excluded.most, seconds = excluded.seconds, tokens = excluded.tokens,
    refilled_at = excluded.refilled_at, limited_by = excluded.limited_by,
    limited_at = excluded.limited_at

-- name: declare
insert into declared_effect (tenant_id, program, tool, digest, about)
values (current_setting('daybook.tenant'), %(program)s, %(tool)s, %(digest)s, %(about)s)
on conflict (tenant_id, program, tool) do update
set digest = excluded.digest, about = excluded.about, declared_at = daybook_now()

-- name: declared
select program, tool, digest, about, declared_at from declared_effect order by program, tool

-- name: forget
delete from declared_effect where program = %(program)s
