-- Edges too, as 0140 has it of sites and hypervisors: of those that were called alike all but the oldest say their short name, within
-- the 80 characters that a name takes.
do $$
declare
  attempt integer := 0;
  renamed integer;
begin
  loop
    update transit_edges as later set name = left(btrim(name), 77 - char_length(slug) - attempt) || ' (' || slug || ')'
      where exists (
        select from transit_edges as earlier
          where earlier.id < later.id and lower(btrim(earlier.name)) = lower(btrim(later.name))
      );
    get diagnostics renamed = row_count;
    exit when renamed = 0;
    attempt := attempt + 1;
  end loop;
end $$;

create unique index transit_edges_name on transit_edges (lower(btrim(name)));
