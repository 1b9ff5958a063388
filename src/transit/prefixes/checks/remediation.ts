/** The exact text that would mend a finding, to be entered at a registry: pure. */
import { formatAsn } from '../../../kernel/asn.ts'
import { parsePrefix } from '../../../kernel/prefix.ts'
import type { Remediation } from '../../contract.ts'
import type { CheckResults } from './check-results.ts'

export interface RemediationSubject {
  /** Canonical text. */
  readonly prefix: string
  readonly asSet: string | null
  /** Where the customer's objects are likely to live: the source of objects found, else the first that is trusted. */
  readonly irrSource: string
}

export function rpkiRemediation(checkResults: CheckResults, subject: RemediationSubject): Remediation[] {
  const { origin, rpki } = checkResults
  if (origin === null || rpki.status === 'VALID' || rpki.status === 'UNKNOWN') return []
  const { length } = parsePrefix(subject.prefix)
  // Never a wider maxLength than what is announced: it would make forged more-specifics valid (RFC 9319).
  const text = `ROA for ${formatAsn(origin)}, ${subject.prefix}, maxLength ${length}`
  return [{ kind: 'ROA', title: 'Create this ROA at your RIR', text }]
}

export function irrRemediation(checkResults: CheckResults, subject: RemediationSubject): Remediation[] {
  return [...routeObjectRemediation(checkResults, subject), ...asSetRemediation(checkResults, subject)]
}

function routeObjectRemediation(
  { origin, irr }: CheckResults,
  { prefix, irrSource }: RemediationSubject,
): Remediation[] {
  if (origin === null || irr.status === 'VALID' || irr.status === 'UNKNOWN') return []
  const isV6 = prefix.includes(':')
  const text = rpsl([
    [isV6 ? 'route6' : 'route', prefix],
    ['origin', formatAsn(origin)],
    ['mnt-by', `MAINT-${formatAsn(origin)}`],
    ['source', irr.objects[0]?.source ?? irrSource],
  ])
  return [{ kind: 'ROUTE_OBJECT', title: 'Create this object with your own maintainer in mnt-by', text }]
}

function asSetRemediation(
  { origin, membership }: CheckResults,
  { asSet, irrSource }: RemediationSubject,
): Remediation[] {
  if (membership === 'NOT_MEMBER' && asSet && origin !== null) {
    const text = rpsl([['members', formatAsn(origin)]])
    return [{ kind: 'AS_SET', title: `Add this line to ${asSet}`, text }]
  }
  if (membership !== 'NO_SET' || !asSet) return []
  const text = rpsl([
    ['as-set', asSet.replace(/^.*::/, '')],
    ['members', origin === null ? '' : formatAsn(origin)],
    ['source', irrSource],
  ])
  return [{ kind: 'AS_SET', title: 'Create this AS-SET with all downstream ASNs, or use another', text }]
}

/** RPSL attributes in the column that registries print them in (RFC 2622 section 2). */
const rpsl = (attributes: readonly (readonly [name: string, value: string])[]): string =>
  attributes.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}`.trimEnd()).join('\n')
