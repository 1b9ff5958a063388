-- What is measured is added in the order of time and dropped by age alone. A block-range index finds that as well, and
-- neither costs at each row that is added nor keeps a changed slot from staying on its page (HOT).
drop index router_samples_age;
create index router_samples_age on router_samples using brin (at);
drop index router_slots_age;
create index router_slots_age on router_slots using brin (slot);
alter table router_slots set (fillfactor = 70);
alter table router_counters set (fillfactor = 50);
