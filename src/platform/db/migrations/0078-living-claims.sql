-- Which process claimed a key, by the name under which it is connected: a claim of a process that died is free at once.
alter table idempotency_keys add column owner text not null default current_setting('application_name');
