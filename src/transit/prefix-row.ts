/** Reads a prefix row and the check results in it. */
import type { Selectable } from 'kysely'
import { formatPrefix, parsePrefix } from '../kernel/prefix.ts'
import { blockingIssue, type CheckResults } from './prefixes/checks/check-results.ts'
import type { RemediationSubject } from './prefixes/checks/remediation.ts'
import type { SpaceLoss } from './states.ts'
import type { TransitPrefixesTable } from './prefixes/tables.ts'

export type PrefixRow = Selectable<TransitPrefixesTable>

/** PostgreSQL prints some IPv6 networks differently from RFC 5952. */
export const valueOf = (row: Pick<PrefixRow, 'value'>): string => formatPrefix(parsePrefix(row.value))

export const checkResultsOf = (row: PrefixRow): CheckResults => ({
  origin: row.origin_asn,
  membership: row.membership,
  rpki: { status: row.rpki_status, reason: row.rpki_reason, vrps: row.rpki_vrps, asOf: row.rpki_as_of },
  irr: { status: row.irr_status, objects: row.irr_objects, asOf: row.irr_as_of },
  downstream: row.downstream,
})

const SPACE_LOST: Readonly<Record<SpaceLoss, string>> = {
  withdrawn:
    'A registry contact withdrew the confirmation that you may announce these addresses, and nothing else proves it. Prove it again with a ROA or a token, or ask support to email another contact.',
  moved:
    'The registry names another holder of these addresses than when they were approved, and nothing proves that you may announce them. Prove it again with a ROA or a token, or ask support to email another contact.',
}

/** Describes which proof of an approval was lost. */
export const spaceIssue = ({ space_lost: lost }: Pick<PrefixRow, 'space_lost'>): string | null =>
  lost && SPACE_LOST[lost]

/** Returns what is wrong with an approved prefix whose proof broke. It is not dropped but shown to the customer and to staff. */
export function attentionOf(row: PrefixRow): string | null {
  if (row.status !== 'APPROVED') return null
  const blocking = blockingIssue(checkResultsOf(row), valueOf(row), row.accepted_issues)
  const issue = [spaceIssue(row), blocking].filter((one) => one !== null).join(' ') || null
  if (issue !== null && row.suspend_at)
    return `${issue} It is suspended on ${row.suspend_at.toISOString().slice(0, 10)} unless this is fixed.`
  if (issue === null || row.rpki_status !== 'INVALID') return issue
  return `${issue} The edge rejects the route until this is fixed (RFC 6811).`
}

export const remediationSubjectOf = (
  row: PrefixRow,
  { asSet, customerAsn, registryOf, irrSource }: Omit<RemediationSubject, 'prefix'>,
): RemediationSubject => ({ prefix: valueOf(row), asSet, customerAsn, registryOf, irrSource })
