-- Expand: the release before can still run.

-- Staff say it before an agent does: what another edge claims meanwhile is not its.
alter table transit_edges add column bgp_identifier text unique check (char_length(bgp_identifier) <= 15);
