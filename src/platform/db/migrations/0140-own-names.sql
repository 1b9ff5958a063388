-- Each site, hypervisor, plan and image is called as no other of its kind: people choose by these names, and money and machines follow.
-- Some that exist may be called alike. Which of them is meant nobody can tell here, and to refuse to start would be worse: the oldest
-- keeps its name, and each other says its short name behind it, which no other has. Staff may rename it; what was invoiced stays as it reads.
do $$
declare
  kind text;
  renamed integer;
begin
  foreach kind in array array['sites', 'hypervisors', 'plans', 'images'] loop
    -- Again while any are alike: another may have been called just so before.
    loop
      execute format(
        'update %1$I as later set name = btrim(name) || '' ('' || slug || '')'' where exists ('
        'select from %1$I as earlier where earlier.id < later.id and lower(btrim(earlier.name)) = lower(btrim(later.name)))',
        kind
      );
      get diagnostics renamed = row_count;
      exit when renamed = 0;
    end loop;
  end loop;
end $$;

create unique index sites_name on sites (lower(btrim(name)));
create unique index hypervisors_name on hypervisors (lower(btrim(name)));
create unique index plans_name on plans (lower(btrim(name)));
create unique index images_name on images (lower(btrim(name)));
