-- Routers by a part of their name and invoices by the beginning of their number, for the staff's search over everything.
create index routers_name_part on routers using gin (lower(name) gin_trgm_ops) with (fastupdate = off);
alter index routers_name_part alter column 1 set statistics 1000;
create index invoices_number_beginning on invoices (number text_pattern_ops) where number is not null;
