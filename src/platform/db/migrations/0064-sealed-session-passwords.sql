-- Passwords of BGP sessions, sealed under the installation's key. Those that are there already are sealed by the worker,
-- which has the key; until then each stands in exactly one of the two columns.
alter table transit_connections
  add column sealed_password bytea,
  add constraint transit_connections_one_password check (password is null or sealed_password is null);
create index transit_connections_unsealed on transit_connections (id) where password is not null;
