/** Bulk fixtures of any size for tests and benchmarks: users, ASNs, prefixes, audit log entries. */
import { sql } from 'kysely'
import type { Db } from '../platform/db/index.ts'
import { compactRowCounts } from '../platform/row-counts.ts'

/** An even distribution between 0 and 1, the same for the same row each time. */
const evenly = (salt: number) => sql`((hashint8extended(n, ${salt}::bigint) & 1048575) / 1048576.0)`

/**
 * Adds this many users, prefixes and audit entries over three years, newest last. Names and domains are distributed
 * as in real life: some common, most rare. One in three users pays, one in thirty has left, and most prefixes are
 * approved.
 */
export async function addBulkFixtures(db: Db, rows: number): Promise<void> {
  // Indexes are built at the end, as usual for bulk loads: row by row the trigrams would take most of the time.
  const { indexdef } = (
    await sql<{ indexdef: string }>`select indexdef from pg_indexes where indexname = 'users_words'`.execute(db)
  ).rows[0]!
  await sql`drop index users_words`.execute(db)
  await sql`
    insert into users (email, first_name, last_name, password_hash, email_verified_at, created_at, closed_at)
    select lower(first || '.' || last || n || '@' || domain), first, last, 'none', at, at, case when n % 30 = 0 then at end
    from generate_series(1, ${rows}::int) n,
      lateral (select now() - (${rows}::int - n) * (interval '3 years' / ${rows}::int) as at) times,
      lateral (select
        initcap(substr(md5('first' || floor(power(${evenly(1)}, 3) * 400)), 1, 6)) as first,
        initcap(substr(md5('last' || floor(power(${evenly(2)}, 2) * 50000)), 1, 8)) as last,
        case when ${evenly(3)} < 0.4 then 'mail.example'
          else 'net-' || substr(md5('domain' || floor(power(${evenly(4)}, 2) * 20000)), 1, 5) || '.example' end as domain) person
    order by n`.execute(db)
  await sql`insert into account_billing_status (account_id, may_be_billed) select account_id, id % 3 = 0 from users`.execute(
    db,
  )
  await sql.raw(indexdef).execute(db)
  await sql`insert into asn_ownerships (account_id, asn, verified_at)
    select account_id, 1000000 + id, now() from users where id % 10 = 0`.execute(db)
  // A multiple modulo a prime distributes prefixes over the years as in real life, each exactly once.
  await sql`
    insert into transit_prefixes (account_id, value, status, announcement_type, created_at, check_after)
    select account_id, case when id % 4 = 0
        then ('2a' || lpad(to_hex(place >> 16), 2, '0') || ':' || to_hex(place & 65535) || '::/32')::cidr
        else set_masklen((inet '20.0.0.0' + place * 256)::cidr, 24) end,
      case when id % 100 = 7 then 'PENDING' when id % 100 = 8 then 'REJECTED' else 'APPROVED' end,
      'ORIGIN', created_at, 'infinity'
    from users, lateral (select id::bigint * 7919 % 1000003 as place) places order by id`.execute(db)
  await addAuditEvents(db, rows)
  await compactRowCounts(db)
  await sql`vacuum analyze users, account_billing_status, asn_ownerships, transit_prefixes, row_counts, audit_events`.execute(
    db,
  )
}

/** Adds entries without the hash chain: its trigger runs row by row, and nothing here reads the chain. */
async function addAuditEvents(db: Db, rows: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`alter table audit_events disable trigger audit_events_link`.execute(transaction)
    await sql`
      insert into audit_events (at, actor_id, actor_kind, action, subject_type, subject_id, account_id, ip, request_id, data)
      select now() - (${rows}::int - n) * (interval '3 years' / ${rows}::int), case when kind = 'system' then null else actor end,
        kind, (array['session.started', 'prefix.requested', 'prefix.approved', 'router.started', 'router.stopped',
          'invoice.issued', 'payment.charged', 'asn.verified'])[1 + floor(power(${evenly(7)}, 2) * 8)::int],
        (array['session', 'prefix', 'router', 'invoice'])[1 + n % 4], n, 1000000 + owner, '192.0.2.1', md5(n::text), '{"before": "PENDING", "after": "APPROVED"}'
      from generate_series(1, ${rows}::int) n,
        lateral (select 1 + floor(${evenly(5)} * ${rows}::int)::int as owner,
          (array['user', 'user', 'user', 'staff', 'system'])[1 + n % 5] as kind) chosen,
        lateral (select case when kind = 'staff' then 1 + n % 7 else owner end as actor) acting
      order by n`.execute(transaction)
    await sql`alter table audit_events enable trigger audit_events_link`.execute(transaction)
  })
}
