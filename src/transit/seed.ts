/** The customer of the demonstration: a connection with an approved prefix and a few that show what can go wrong. */
import { SYSTEM } from '../platform/audit.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import { changeConnection } from './connections/connections.ts'
import { anyPrefix } from './prefixes/decisions.ts'
import { changeStatus } from './prefix-status.ts'
import type { TransitWriter } from './deps.ts'
import { requestPrefix } from './prefixes/requests.ts'
import type { AnnouncementType } from './states.ts'

export interface TransitSeed {
  readonly staffId: number
  /** Has a verified ASN. */
  readonly customerId: number
  /** The router that carries the connection; null when there is none yet. */
  readonly routerId: number | null
}

const REQUESTED: readonly (readonly [value: string, type: AnnouncementType])[] = [
  ['2d10:10::/32', 'ORIGIN'],
  ['45.30.11.0/24', 'DOWNSTREAM'],
  ['45.30.12.0/24', 'ORIGIN'],
  ['45.30.14.0/24', 'ORIGIN'],
]

/** For an empty database, after accounts and routers. What RPKI and IRR say of the prefixes is found by the checks, not invented here. */
export function seedTransit(
  deps: TransitWriter,
  db: Db,
  { staffId, customerId, routerId }: TransitSeed,
): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await changeConnection(deps, transaction, SYSTEM, customerId, { asSet: 'AS-KESTREL', routerId })
    const approved = await requestPrefix(deps, transaction, SYSTEM, customerId, {
      value: '45.30.10.0/24',
      announcementType: 'ORIGIN',
    })
    for (const [value, announcementType] of REQUESTED) {
      await requestPrefix(deps, transaction, SYSTEM, customerId, { value, announcementType })
    }
    const staff = { ...SYSTEM, kind: 'staff', userId: staffId } as const
    // No source is asked while the database is filled. The checks follow in moments, and refute it if they have to.
    await changeStatus(deps, transaction, await anyPrefix(transaction, approved, 'lock'), {
      action: 'approve',
      reason: null,
      actor: staff,
      at: deps.clock.now(),
      approved: {
        basis: { rule: 'Demonstration', policyVersion: 1, people: [], evidence: [] },
        unknown: true,
      },
    })
  })
}
