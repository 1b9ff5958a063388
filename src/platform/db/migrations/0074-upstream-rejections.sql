-- Expand: the release before can still run.

-- What an edge last told of the updates that it took nothing of, and whether its log can be read; null before it told.
alter table transit_edges add column upstream_rejections jsonb;
