-- Statements of user memory, by name. They read the table of LangGraph's store, which writes it.

-- name: facts
select prefix, key, value from store where prefix = %(prefix)s

-- name: forget_all
delete from store where prefix = %(prefix)s returning key
