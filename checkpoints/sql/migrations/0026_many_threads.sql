-- What is looked for again and again over all threads is found by an index, however many wait.

-- Who is to approve a plan, on the first of its steps: a question is one row, and needs no entry read.
alter table open_step add column asks text;
alter table open_step no force row level security;
alter table ledger_event no force row level security;
update open_step s set asks = coalesce(o.detail -> 'needs' ->> 'role', 'customer')
from ledger_event o
where o.thread_id = s.thread_id and o.plan_id = s.plan_id and o.event = 'opened'
  and o.detail ->> 'approval' <> 'policy' and s.state = 'intended'
  and not exists (
      select from ledger_event d
      where d.thread_id = s.thread_id and d.plan_id = s.plan_id and d.event = 'decision')
  and (s.op, s.gen) = (
      select i.op, i.gen from ledger_event i
      join open_step one on one.tenant_id = i.tenant_id and one.op = i.op and one.gen = i.gen
      where i.thread_id = s.thread_id and i.plan_id = s.plan_id and i.event = 'intended'
        and one.state = 'intended'
      order by i.seq limit 1);
alter table open_step force row level security;
alter table ledger_event force row level security;

drop index open_step_due;
create index open_step_due on open_step (tenant_id, due_at) where due_at is not null;
create index open_step_asks on open_step (tenant_id, updated_at, thread_id) include (asks)
    where asks is not null;
create index open_step_asks_of_user on open_step (tenant_id, user_id, updated_at)
    where asks is not null;
create index open_step_doubted on open_step (tenant_id, updated_at, thread_id)
    where state in ('in_doubt', 'stuck');
create index open_step_by_time on open_step (tenant_id, updated_at, thread_id);
create index open_step_by_state on open_step (tenant_id, tool, state, updated_at);

-- Threads are listed and outlasted by their last activity, and counted by their status.
drop index thread_by_activity;
create index thread_by_activity on thread (tenant_id, last_activity, thread_id);
create index thread_by_status on thread (tenant_id, domain, status);

-- What workers have tried is little, and what they gave up is less.
create index runner_tried on runner (tenant_id, thread_id) where tries > 0;
