/** The exact text that fixes a failed check, to be entered at a registry: pure. */
import { isAuthoritative } from '../../../drivers/irr/index.ts'
import type { RegistryName } from '../../../drivers/registry/registry-names.ts'
import { formatAsn } from '../../../kernel/asn.ts'
import { parsePrefix } from '../../../kernel/prefix.ts'
import type { Remediation } from '../../contract.ts'
import { downstreamIssues, type DownstreamIssueKind } from '../../downstreams/evidence.ts'
import type { CheckResults } from './check-results.ts'
import { asSetText, registryForm, routeObjectText, rpsl, type RegistryForm } from './registry-objects.ts'

export interface RemediationSubject {
  /** Canonical text. */
  readonly prefix: string
  readonly asSet: string | null
  readonly customerAsn: number | null
  /** The registry that assigned an ASN; null while unknown. */
  readonly registryOf: (asn: number) => RegistryName | null
  /** The default registry for objects: the most trusted source. */
  readonly irrSource: string
}

const step = (kind: Remediation['kind'], title: string, text: string, url: string): Remediation => ({
  kind,
  title,
  text,
  url: url === '' ? null : url,
})

const formOf = (asn: number | null, { registryOf, irrSource }: RemediationSubject): RegistryForm =>
  registryForm((asn === null ? null : registryOf(asn)) ?? irrSource)

export function rpkiRemediation(checkResults: CheckResults, subject: RemediationSubject): Remediation[] {
  const { origin, rpki } = checkResults
  if (origin === null || rpki.status === 'VALID' || rpki.status === 'UNKNOWN') return []
  const { length } = parsePrefix(subject.prefix)
  // Never a larger maxLength than announced: it would make forged more-specifics valid (RFC 9319).
  const text = `ROA for ${formatAsn(origin)}, ${subject.prefix}, maxLength ${length}`
  return [step('ROA', 'Create this ROA at your RIR', text, formOf(origin, subject).rpkiUrl)]
}

export function irrRemediation(checkResults: CheckResults, subject: RemediationSubject): Remediation[] {
  const kinds = downstreamIssues(checkResults, subject.prefix).map(({ kind }) => kind)
  return [
    ...routeObjectRemediation(checkResults, subject),
    ...asSetRemediation(checkResults, subject, kinds),
    ...consentRemediation(checkResults, subject, kinds),
  ]
}

function routeObjectRemediation(checkResults: CheckResults, subject: RemediationSubject): Remediation[] {
  const { origin, irr } = checkResults
  if (origin === null || irr.status === 'VALID' || irr.status === 'UNKNOWN') return []
  // Prefer a registry where objects already exist, unless anybody could have created them there.
  const known = irr.objects.find((object) => isAuthoritative(object.source))
  const form = known ? registryForm(known.source) : formOf(origin, subject)
  const text = routeObjectText(form, { prefix: subject.prefix, origin, maintainer: null })
  return [step('ROUTE_OBJECT', `Create this object in ${form.title} with your own maintainer`, text, form.irrUrl)]
}

function asSetRemediation(
  { origin, downstream }: CheckResults,
  subject: RemediationSubject,
  kinds: readonly DownstreamIssueKind[],
): Remediation[] {
  const { asSet, customerAsn } = subject
  if (!asSet || customerAsn === null) return []
  const form = formOf(customerAsn, subject)
  if (kinds.includes('SET_NOT_OWN') || (kinds.includes('NO_SET') && !downstream)) {
    const members = [...new Set([customerAsn, ...(origin === null ? [] : [origin])])]
    const name = `${formatAsn(customerAsn)}:AS-CUSTOMERS`
    const text = asSetText(form, { name, members, maintainer: null })
    return [step('AS_SET', `Create this AS-SET in ${form.title} and use ${name} here`, text, form.irrUrl)]
  }
  if (!kinds.includes('NOT_MEMBER') || origin === null) return []
  return [step('AS_SET', `Add this line to ${asSet}`, rpsl([['members', formatAsn(origin)]]), form.irrUrl)]
}

/** Only the holder of the downstream ASN can do these. */
function consentRemediation(
  { origin, downstream }: CheckResults,
  subject: RemediationSubject,
  kinds: readonly DownstreamIssueKind[],
): Remediation[] {
  const { customerAsn } = subject
  if (origin === null || customerAsn === null || customerAsn === origin) return []
  if (!kinds.some((kind) => kind === 'REFUSED' || kind === 'NO_CONSENT' || kind === 'WEAK_MEMBER')) return []
  const [customer, member] = [formatAsn(customerAsn), formatAsn(origin)]
  const form = formOf(origin, subject)
  const aspa = step(
    'ASPA',
    `Have ${member} add ${customer} to its ASPA`,
    `ASPA of ${member}: provider ${customer}, beside all its present providers`,
    form.rpkiUrl,
  )
  // A signed refusal outweighs anything in the IRR.
  if (kinds.includes('REFUSED')) return [aspa]
  const lines = rpsl([
    ['import', `from ${customer} accept ANY`],
    ['export', `to ${customer} announce ${member}`],
  ])
  const policy = step('AUT_NUM', `Or have ${member} add these lines to its aut-num`, lines, form.irrUrl)
  const set = downstream?.set
  const joins =
    set?.status === 'OWN'
      ? [
          step(
            'AUT_NUM',
            `Or have ${member} add this line to its aut-num, and its maintainer to mbrs-by-ref of ${set.name}`,
            rpsl([['member-of', set.name.replace(/^.*::/, '')]]),
            form.irrUrl,
          ),
        ]
      : []
  const mail = step(
    'MAIL',
    `Or ask us to email a registry contact of ${member}, who agrees with a link`,
    `Please email a registry contact of ${member} about transit through ${customer}.`,
    '',
  )
  return [aspa, ...(kinds.includes('WEAK_MEMBER') ? [] : [policy]), ...joins, mail]
}
