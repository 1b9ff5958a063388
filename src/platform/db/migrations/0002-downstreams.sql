-- Expand: the release before can still run.

-- Whose AS-SET it is, who maintains it and where, as the registries said last; shown to the customer and to staff.
alter table transit_connections add column as_set_found jsonb;

alter table transit_prefixes
  -- Whose set opened it, on which path its origin is in there, and whether the origin agreed.
  add column downstream jsonb,
  -- What staff accepted with their reason when they approved it: not a loss later.
  add column accepted_issues text[] not null default '{}',
  -- When it is suspended unless what it lost comes back. Kept while the portal has it suspended for that.
  add column suspend_at timestamp with time zone;
