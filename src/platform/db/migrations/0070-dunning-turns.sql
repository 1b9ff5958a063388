-- Who was looked at last comes last: a long list of debtors must not keep the worker from those at its end.
alter table dunning add column checked_at timestamptz;
create index dunning_checked on dunning (checked_at nulls first);
