-- Expand: the release before can still run.

-- The staff's list of invoices in the orders of its headers, a page at a time. Drafts, which are not issued, come last.
create index invoices_by_issued on invoices (coalesce(issued_at, 'infinity'), id);
create index invoices_by_total on invoices (total, id);
