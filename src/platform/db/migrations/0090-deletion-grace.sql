-- A deletion that can be taken back for a while: until when, and to what. Without a moment the removal has begun, or begins.

alter table routers
  add gone_at timestamptz,
  add former_wish text check (former_wish in ('running', 'stopped')),
  add check (gone_at is null or wish = 'absent'),
  add check ((gone_at is null) = (former_wish is null));
create index routers_gone on routers (gone_at) where gone_at is not null;
