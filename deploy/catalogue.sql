-- What is for sale and where it runs, for an empty installation. Change the values to yours, then:
--   psql "$DATABASE_URL" --single-transaction --set ON_ERROR_STOP=1 --file deploy/catalogue.sql

with site as (
  insert into sites (slug, name) values ('ams1', 'Amsterdam 1') returning id
), hypervisor as (
  -- The slug is the one that the portal's process drives. Memory in MiB, disk in GiB: what may be sold of the host.
  insert into hypervisors (slug, name, site_id, driver, cpus, memory, disk)
  select 'ams1-hv1', 'ams1-hv1', id, 'libvirt', 16, 65536, 1000 from site
)
-- The bridge's segment. The gateways are the edge's addresses on it.
insert into address_pools (site_id, prefix4, gateway4, prefix6, gateway6)
select id, '198.51.100.0/24', '198.51.100.1', '2001:db8:100::/64', '2001:db8:100::1' from site;

insert into images (slug, name, description, source)
values ('longhaul-appliance', 'Longhaul router', 'BIRD 2 on a minimal Linux.', 'longhaul-appliance');

-- Prices in minor units, before tax.
insert into plans (slug, name, cpus, memory, disk_size, hourly_price, monthly_price, currency, position)
values
  ('lark', 'Lark', 1, 192, 1, 1, 490, 'EUR', 0),
  ('swift', 'Swift', 1, 512, 4, 2, 990, 'EUR', 1),
  ('tern', 'Tern', 2, 1024, 8, 3, 1990, 'EUR', 2);
