"""What the database itself sees of runners: who writes for whom, and who takes a thread from whom.

Triggers of a life's database; they change nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg

TRIGGERS = """
create table sim_seen (
    n       bigint generated always as identity primary key,
    what    text not null,
    thread  text not null,
    process text,
    other   text
);
create function sim_see_write() returns trigger language plpgsql security definer as $$
declare
    holder text;
begin
    select process into holder from runner where thread_id = new.thread_id;
    if holder <> current_setting('application_name') then
        insert into sim_seen (what, thread, process, other)
        values (tg_table_name, new.thread_id, current_setting('application_name'), holder);
    end if;
    return null;
end $$;
create trigger sim_seen after insert on checkpoints
    for each row execute function sim_see_write();
create trigger sim_seen after insert on checkpoint_writes
    for each row execute function sim_see_write();
create function sim_see_runner() returns trigger language plpgsql security definer as $$
begin
    if old.lease_until is not null and new.process <> old.process then
        insert into sim_seen (what, thread, process, other)
        values ('runner', new.thread_id, new.process, old.process);
    end if;
    return null;
end $$;
create trigger sim_seen after update on runner
    for each row execute function sim_see_runner();
"""


class Witness:
    """Read what was seen.

    Args:
        may_be_taken: tells whether a process, by the name that the server knows it by, may have
            been silent.
    """

    def __init__(self, may_be_taken: Callable[[str], bool]) -> None:
        self._may_be_taken = may_be_taken
        self._read = 0

    def complaint(self, conn: psycopg.Connection[Any]) -> str:
        """Say what was done since the last time that must not be, or nothing."""
        rows = conn.execute("select * from sim_seen where n > %s order by n", (self._read,))
        for row in rows.fetchall():
            self._read = row["n"]
            if row["what"] != "runner":
                return (
                    f"a runner that was taken over wrote to {row['what']} of {row['thread']}: "
                    f"{row['process']}, and {row['other']} runs it"
                )
            if not self._may_be_taken(row["other"]):
                return f"{row['thread']} was taken from {row['other']}, which was awake"
        return ""
