/** A prefix as it is read, and the findings that stand in it. */
import type { Selectable } from 'kysely'
import { formatPrefix, parsePrefix } from '../kernel/prefix.ts'
import { demandOf, type Findings } from './checks/findings.ts'
import type { FixSubject } from './checks/fixes.ts'
import type { TransitPrefixesTable } from './tables.ts'

export type PrefixRow = Selectable<TransitPrefixesTable>

/** PostgreSQL prints some IPv6 networks otherwise than RFC 5952. */
export const valueOf = (row: Pick<PrefixRow, 'value'>): string => formatPrefix(parsePrefix(row.value))

export const findingsOf = (row: PrefixRow): Findings => ({
  origin: row.origin_asn,
  membership: row.membership,
  rpki: { status: row.rpki_status, reason: row.rpki_reason, vrps: row.rpki_vrps, asOf: row.rpki_as_of },
  irr: { status: row.irr_status, objects: row.irr_objects, asOf: row.irr_as_of },
})

/** An approved prefix whose proof broke is not dropped but shown, to the customer and to staff. */
export function attentionOf(row: PrefixRow): string | null {
  if (row.status !== 'APPROVED') return null
  const demand = demandOf(findingsOf(row), valueOf(row))
  if (demand === null || row.rpki_status !== 'INVALID') return demand
  return `${demand} The edge rejects the route until this is fixed (RFC 6811).`
}

export const fixSubjectOf = (row: PrefixRow, asSet: string | null, irrSource: string): FixSubject => ({
  prefix: valueOf(row),
  asSet,
  irrSource,
})
