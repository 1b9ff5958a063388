-- Expand: the release before can still run.

-- What the product of an edge cannot do, as its agent says with each load: requests for it are refused beforehand.
alter table transit_edges add column lacks text[] not null default '{}';
