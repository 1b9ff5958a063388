-- Staff look for prefixes and addresses while they type: `2d10:1` is the beginning of the text of 2d10:10::/32.
create index transit_prefixes_text on transit_prefixes ((value::text) text_pattern_ops);
create index address_leases_text4 on address_leases (host(address4) text_pattern_ops);
create index address_leases_text6 on address_leases (host(address6) text_pattern_ops);
