import { sql } from 'kysely'
import { LAB } from '../lab/network/addresses.ts'
import type { EdgeCustomer } from '../src/drivers/edge/index.ts'
import type { Db } from '../src/platform/db/index.ts'

/** Public, and outside the lab's own space. */
const FIRST_BLOCK = 60 << 16
const FIRST_ASN = 600_000
const FIRST_HOST = 256

/** Customers whose routers never answer, each with a session and this many prefixes. */
export function bulk(customers: number, prefixesEach: number, families: readonly (4 | 6)[] = [4]): EdgeCustomer[] {
  return Array.from({ length: customers }, (_, index) => {
    const asn = FIRST_ASN + index
    const host = FIRST_HOST + index
    const peers = { 4: `203.0.${113 + (host >> 8)}.${host & 255}`, 6: `2001:db8:100:1::${host.toString(16)}` } as const
    return {
      id: 100 + index,
      asn,
      enabled: true,
      neighbors: families.map((family) => ({
        family,
        localAddress: LAB.segment[family].gateway,
        peerAddress: peers[family],
      })),
      accept: Array.from({ length: prefixesEach }, (__, prefix) => ({
        prefix: slash24(FIRST_BLOCK + index * prefixesEach + prefix),
        origin: asn,
      })),
      statics: [],
      exports: 'default',
    }
  })
}

/** Returns the /24 with these upper 24 bits. */
const slash24 = (bits: number): string => `${bits >> 16}.${(bits >> 8) & 255}.${bits & 255}.0/24`

/**
 * Adds the same customers in both families as rows of a product, at the site of one of its routers: no hypervisor runs
 * their routers.
 */
export async function addBulkCustomers(db: Db, { customers, prefixesEach }: BulkSize): Promise<void> {
  const count = sql`${customers}::int`
  await db.transaction().execute(async (transaction) => {
    await sql`create temporary table bulk on commit drop as
      select n, ${FIRST_HOST}::int + n as host, 'bulk-' || n || '@example.net' as email from generate_series(0, ${count} - 1) n`.execute(
      transaction,
    )
    await sql`insert into users (email, first_name, last_name, password_hash, email_verified_at)
      select email, 'Ann', 'Bulk', 'none', now() from bulk order by n`.execute(transaction)
    await sql`insert into asn_ownerships (account_id, asn, verified_at)
      select users.account_id, ${FIRST_ASN}::int + n, now() from bulk join users using (email)`.execute(transaction)
    await sql`insert into hypervisors (slug, name, site_id, driver, cpus, memory, disk)
      select 'bulk', 'Bulk', site_id, 'simulated', 1, 1, 1 from routers order by id limit 1`.execute(transaction)
    await sql`insert into routers (account_id, name, site_id, hypervisor_id, plan_id, image_id, cpus, memory, disk_size, due_at)
      select users.account_id, 'bulk-' || n, host.site_id, host.id, plan_id, image_id, 1, 128, 1, null
      from bulk join users using (email), hypervisors host, (select plan_id, image_id from routers order by id limit 1) as like_it
      where host.slug = 'bulk'`.execute(transaction)
    await sql`insert into address_pools (site_id, prefix4, gateway4, prefix6, gateway6, closed_at)
      select site_id, '203.0.112.0/20', ${LAB.segment[4].gateway}, '2001:db8:100::/48', ${LAB.segment[6].gateway}, now()
      from hypervisors where slug = 'bulk'`.execute(transaction)
    await sql`insert into address_leases (router_id, pool_id, host_number, address4, address6)
      select routers.id, pool.id, 1 + n, inet '203.0.113.0' + host, inet '2001:db8:100:1::' + host
      from bulk join users using (email) join routers on routers.account_id = users.account_id, address_pools pool
      where pool.prefix4 = '203.0.112.0/20'`.execute(transaction)
    await sql`insert into transit_connections (account_id, router_id)
      select routers.account_id, routers.id from bulk join users using (email) join routers on routers.account_id = users.account_id`.execute(
      transaction,
    )
    await sql`insert into transit_prefixes (account_id, value, status, announcement_type, origin_asn, rpki_status, check_after)
      select users.account_id, set_masklen((inet '60.0.0.0' + (bulk.n::bigint * ${prefixesEach}::int + p) * 256)::cidr, 24), 'APPROVED',
        'ORIGIN', ${FIRST_ASN}::int + bulk.n, 'NOT_FOUND', 'infinity'
      from bulk join users using (email), generate_series(0, ${prefixesEach}::int - 1) p order by bulk.n, p`.execute(
      transaction,
    )
    // As in a network that runs: its registry is asked once a week.
    await sql`insert into prefix_registrations (prefix_id, checked_at, next_check_at)
      select prefix.id, now(), 'infinity'
      from bulk join users using (email) join transit_prefixes prefix on prefix.account_id = users.account_id`.execute(
      transaction,
    )
  })
  await sql`analyze`.execute(db)
}

export interface BulkSize {
  readonly customers: number
  readonly prefixesEach: number
}
