-- What is charged once: the set-up of a router plan and of transit, and fees by name that staff charge from the list.
alter table price_versions
  drop constraint price_versions_product_check,
  add constraint price_versions_product_check check (product ~
    '^(router:[a-z0-9-]{1,60}|address:ipv[46]|transit|setup:(router:[a-z0-9-]{1,60}|transit)|fee:[a-z0-9-]{1,40})$'),
  -- Of `setup:` and `fee:` alone, which cost nothing by time.
  add column once_price integer check (once_price >= 0),
  -- Of `fee:` alone: what customers read.
  add column name text,
  add check ((product ~ '^(setup|fee):') = (once_price is not null)),
  add check ((product like 'fee:%') = (name is not null)),
  add check (once_price is null or hourly_price = 0 and monthly_price = 0);

alter table plans add column setup_price integer not null default 0 check (setup_price >= 0);
-- As the catalogue said when it was ordered; charged when the router first answers.
alter table routers add column setup_price integer not null default 0 check (setup_price >= 0);

alter table billing_items
  add column product text,
  -- What it is charged for, such as `setup:router:12`: the same thing is charged once, for ever.
  add column occurrence text unique,
  add check (occurrence is null or product is not null);
