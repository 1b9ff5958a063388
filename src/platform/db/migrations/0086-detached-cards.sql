-- A card that was removed is forgotten by its provider too: when that was begun, and when it was done.
alter table payment_methods
  add column detaching_at timestamptz,
  add column detached_at timestamptz,
  add check (detached_at is null or detaching_at is not null);
create index payment_methods_to_detach on payment_methods (id) where removed_at is not null and detached_at is null;
