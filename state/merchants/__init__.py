"""The part of the state that a thread has which buys from merchants."""
