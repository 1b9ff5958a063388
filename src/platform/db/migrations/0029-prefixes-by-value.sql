-- Expand: the release before can still run.

-- The list of prefixes in the order of addresses, a page at a time; the id tells equal ones apart.
create index transit_prefixes_by_value on transit_prefixes (value, id);
