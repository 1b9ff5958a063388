-- Expand: the release before can still run.

-- The staff's list of routers in the order of names, a page at a time; the id tells equal ones apart.
create index routers_by_name on routers (name, id);

-- The staff's list of accounts that are suspended for not paying: few of many.
create index account_billing_status_suspended on account_billing_status (user_id) where suspended;
