-- Staff read this beside each rate: where a rate came from, not which file wrote it.
update tax_rates set source = 'Came with Longhaul; not looked up yet'
where source = 'Written from memory with migration 0042; not looked up';
