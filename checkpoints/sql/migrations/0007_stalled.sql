-- Workers look for turns that were cut off twice a second, over all threads.
create index thread_active on thread (tenant_id, last_activity) where status = 'active';
