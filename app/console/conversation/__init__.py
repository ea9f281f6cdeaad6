"""Pages to talk in and to answer on: the inbox, a thread, its questions."""
