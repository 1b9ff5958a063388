-- Expand: the release before can still run.

-- A new TCP MD5 key (RFC 2385) beside the one in use: planned, then on trial until a session comes up with it.
alter table transit_connections
  add column next_encrypted_password bytea,
  -- When the edge takes it; null while that waits for the customer.
  add column password_change_at timestamp with time zone,
  -- Set while the edge uses it: when it goes back to the old one, unless a session came up.
  add column password_pending_until timestamp with time zone,
  -- What became of the last change, and when.
  add column password_change_result text check (password_change_result in ('KEPT', 'RETURNED')),
  add column password_changed_at timestamp with time zone,
  add check (next_encrypted_password is not null or (password_change_at is null and password_pending_until is null));
create index transit_connections_password_change on transit_connections (id) where next_encrypted_password is not null;
