-- What an operator says about a tool: switched off and why, and how often it may be called. No row
-- is a tool that is on and without a limit. It is no person's row, so no user stands on it.

create table tool_rule (
    tenant_id   text not null,
    tool        text not null,
    is_off      boolean not null default false,
    why         text not null default '',
    switched_by text,
    switched_at timestamptz,
    -- A token bucket: `most` tokens at first and at most, and all of them come back in `seconds`.
    most        integer check (most > 0),
    seconds     integer check (seconds > 0),
    tokens      integer check (tokens between 0 and most),
    refilled_at timestamptz,
    limited_by  text,
    limited_at  timestamptz,
    primary key (tenant_id, tool),
    constraint a_limit_is_whole check (num_nulls(most, seconds, tokens, refilled_at) in (0, 4)),
    constraint off_says_why check (not is_off or why <> '')
);
alter table tool_rule enable row level security;
alter table tool_rule force row level security;
create policy of_this_tenant on tool_rule
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));

grant select, insert, update on tool_rule to daybook_app;
