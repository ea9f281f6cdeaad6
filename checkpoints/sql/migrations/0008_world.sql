-- Which outside world a thread deals with (an id that its services tell). A process that reaches
-- another one would find nothing of what was done there, and do or undo it anew in the wrong place.
-- Null where nobody says, and for threads from before it was written down.
alter table thread add column world text;
