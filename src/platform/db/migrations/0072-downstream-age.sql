-- Expand: the release before can still run.

-- When the oldest of the AS-SET and the aut-nums that the last check used was read: they are remembered for some minutes.
alter table transit_prefixes add column downstream_as_of timestamptz;
