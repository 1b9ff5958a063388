-- Expand: the release before can still run.

-- The status of the block as its registry gives it (RFC 9083 section 4.6): active, reserved, pending transfer.
alter table prefix_registrations add column status jsonb not null default '[]'::jsonb;
