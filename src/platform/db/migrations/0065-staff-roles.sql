-- What each of staff may: one truth, from which it follows who is staff at all. Whoever was staff so far may go on doing
-- everything.
alter table users add column staff_roles text[] not null default '{}'
  constraint users_staff_roles_known check (staff_roles <@ array['owner', 'support', 'network', 'billing']);
update users set staff_roles = '{owner}' where is_admin;
alter table users drop column is_admin;
alter table users add column is_admin boolean not null generated always as (cardinality(staff_roles) > 0) stored;
create index users_staff on users (id) where is_admin;
