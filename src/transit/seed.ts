/**
 * The demo's customers: each has a connection, its prefixes, and session outages. The past is fictitious; the checks
 * find what RPKI and the IRR say about the prefixes.
 */
import type { AccountId, UserId } from '../kernel/ids.ts'
import { manualClock } from '../kernel/clock.ts'
import { SYSTEM } from '../platform/audit.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import { changeConnection } from './connections/connections.ts'
import { KESTREL_PREFIXES, KESTREL_REQUESTS, TERN_PREFIXES, type DemoPrefix } from './demo-prefixes.ts'
import type { TransitSetUp, TransitWriter } from './deps.ts'
import { anyPrefix } from './prefixes/decisions.ts'
import { requestPrefix } from './prefixes/requests.ts'
import { changeStatus } from './prefix-status.ts'

const DAY_MS = 86_400_000

export interface TransitSeed {
  readonly staffId: UserId
  /** A customer with a verified ASN. */
  readonly customerId: AccountId
  /** The router that carries the connection; null when there is none yet. */
  readonly routerId: number | null
  readonly since: Date
}

type Deps = TransitWriter & { readonly setUp?: TransitSetUp }

/** Fills an empty database, after accounts and routers. */
export async function seedTransit(deps: Deps, database: Db, seed: TransitSeed): Promise<void> {
  await inTransaction(database, async (db) => {
    await seedConnection(deps, db, seed, 'AS-KESTREL')
    await seedPrefixes(deps, db, seed, KESTREL_PREFIXES)
    // No source is queried while the database is filled. The checks follow within moments, and refute the approval if they must.
    const approved: DemoPrefix = {
      value: '45.30.10.0/24',
      requestedDaysAgo: 0,
      decisions: [{ action: 'approve', daysAgo: 0 }],
    }
    await seedPrefixes(deps, db, seed, [approved, ...KESTREL_REQUESTS])
  })
}

/** Fills the transit of the second customer, whose ASN is also verified. */
export async function seedSecondTransit(deps: Deps, database: Db, seed: TransitSeed): Promise<void> {
  await inTransaction(database, async (db) => {
    await seedConnection(deps, db, seed, 'AS-TERN')
    await seedPrefixes(deps, db, seed, TERN_PREFIXES)
  })
}

async function seedConnection(deps: Deps, db: Db, seed: TransitSeed, asSet: string): Promise<void> {
  const { customerId: accountId, routerId, since } = seed
  const then = { ...deps, clock: manualClock(since) }
  await changeConnection(then, db, SYSTEM, accountId, { asSet, routerId })
  const { id } = await db
    .selectFrom('transit_connections')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (routerId === null) return
  // Charged when the first session came up, which was at that time.
  await deps.setUp?.charge(db, { id, accountId, madeAt: since }, since)
  await seedSessionHistory(db, { connectionId: id, since, now: deps.clock.now() })
}

async function seedPrefixes(
  deps: TransitWriter,
  database: Db,
  { staffId, customerId }: TransitSeed,
  prefixes: readonly DemoPrefix[],
): Promise<void> {
  const now = deps.clock.now()
  const ago = (days: number): Date => new Date(now.getTime() - days * DAY_MS)
  const staff = { ...SYSTEM, kind: 'staff', userId: staffId } as const
  const { email } = await database
    .selectFrom('users')
    .select('email')
    .where('id', '=', staffId)
    .executeTakeFirstOrThrow()
  for (const { value, type = 'ORIGIN', originAsn, requestedDaysAgo, decisions = [], found } of prefixes) {
    // An operator without an ASN originates nothing.
    if (type === 'STATIC' && deps.operator.asn === 0) continue
    const then = { ...deps, clock: manualClock(ago(requestedDaysAgo)) }
    const request = { value, announcementType: type, ...(originAsn !== undefined && { originAsn }) }
    const id = await requestPrefix(then, database, SYSTEM, customerId, request)
    if (found) {
      const last = ago(decisions.at(-1)?.daysAgo ?? requestedDaysAgo)
      await database
        .updateTable('transit_prefixes')
        .set({
          rpki_status: found.rpki,
          rpki_reason: found.because ?? null,
          rpki_vrps: JSON.stringify(found.vrps ?? []),
          rpki_as_of: last,
          irr_status: found.irr,
          irr_as_of: last,
          checked_at: last,
        })
        .where('id', '=', id)
        .execute()
    }
    for (const { action, daysAgo, reason = null } of decisions) {
      const at = ago(daysAgo)
      await changeStatus(deps, database, await anyPrefix(database, id, 'lock'), {
        action,
        reason,
        actor: action === 'withdraw' ? SYSTEM : staff,
        at,
        ...(action === 'approve' && {
          approved: {
            basis: { rule: 'Medium evidence', policyVersion: 1, people: [email], evidence: [] },
            // For today's requests nothing is known yet. Older approvals were checked when they were given; a later
            // problem only flags them.
            unknown: daysAgo === 0,
          },
        }),
      })
    }
  }
}

interface Outage {
  readonly family: 4 | 6
  readonly hoursAgo: number
  readonly minutes: number
  readonly error: string
}

/** Outages of the whole router three weeks and nine days ago, and a short one of IPv6 last night. */
const OUTAGES: readonly Outage[] = [
  { family: 4, hoursAgo: 21 * 24 + 5, minutes: 47, error: 'Hold timer expired' },
  { family: 6, hoursAgo: 21 * 24 + 5, minutes: 48, error: 'Hold timer expired' },
  { family: 4, hoursAgo: 9 * 24, minutes: 150, error: 'Received: Administrative shutdown' },
  { family: 6, hoursAgo: 9 * 24, minutes: 150, error: 'Received: Administrative shutdown' },
  { family: 6, hoursAgo: 7.4, minutes: 11, error: 'Hold timer expired' },
]

/** Sets the sessions up for as long as the monthly strips reach back, apart from the outages. */
async function seedSessionHistory(
  db: Db,
  { connectionId, since, now }: { readonly connectionId: number; readonly since: Date; readonly now: Date },
): Promise<void> {
  const came = { to_state: 'ESTABLISHED', from_state: 'OPENCONFIRM', error: null } as const
  const first = ([4, 6] as const).map((family) => ({ ...came, family, at: since }))
  const later = OUTAGES.flatMap(({ family, hoursAgo, minutes, error }) => {
    const at = new Date(now.getTime() - hoursAgo * 3_600_000)
    return [
      { family, at, from_state: 'ESTABLISHED', to_state: 'IDLE', error } as const,
      { ...came, family, at: new Date(at.getTime() + minutes * 60_000) },
    ]
  })
  const events = [...first, ...later].toSorted((a, b) => a.at.getTime() - b.at.getTime())
  await db
    .insertInto('transit_session_events')
    .values(events.map((event) => ({ ...event, connection_id: connectionId })))
    .execute()
}
