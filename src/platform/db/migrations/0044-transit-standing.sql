-- An account that does not pay loses its transit before its routers: drained first, then shut.
alter table account_standing
  add column transit text not null default 'normal' check (transit in ('normal', 'drained', 'shut'));
