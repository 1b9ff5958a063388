/** The text of a letter of authorization. Pure: no sentence claims more than is known. */
import { formatAsn } from '../../kernel/asn.ts'
import type { Evidence, EvidenceKind } from '../evidence/evidence.ts'
import { RESULT_TEXT, type CheckStatus } from '../states.ts'

/** Incremented with each change of the signed text. */
export const TEXT_VERSION = 1
export const VALID_YEARS = 1

export interface LoaSubject {
  readonly prefix: string
  readonly originAsn: number
  readonly operator: { readonly name: string; readonly asn: number }
}

/** The paragraphs that the signatory accepts verbatim. */
export function paragraphsOf({ prefix, originAsn, operator }: LoaSubject): string[] {
  const network = `${operator.name} (${formatAsn(operator.asn)})`
  const origin = formatAsn(originAsn)
  return [
    originAsn === operator.asn
      ? `I authorize ${network} to originate ${prefix} with origin ${origin}, and to announce it to its upstreams, its peers and the route servers of Internet exchanges.`
      : `I authorize ${network} to accept ${prefix} with origin ${origin}, and to announce it to its upstreams, its peers and the route servers of Internet exchanges.`,
    'I declare that I may give this authorization for these addresses.',
    `This authorization is valid for one year from the day it is signed. It ends earlier when it is revoked, or when ${prefix} is no longer a pending or approved prefix of this account.`,
  ]
}

const PROOF_LABELS: Readonly<Record<string, string | undefined>> = {
  autnum_token: 'a remark in its registry object',
  registry_contact: 'a link sent to a contact in the registry',
  peeringdb: 'PeeringDB',
}

interface AsnProved {
  readonly asn: number
  /** Null where none is recorded. */
  readonly method: string | null
  readonly verifiedAt: Date
}

/** A sentence about how and when the account proved control of its ASN, as far as the portal knows. */
export const proofSentence = (proof: AsnProved): string =>
  `Signed by the account ${controlOf(proof)} on ${day(proof.verifiedAt)}. The portal did not check the name or the role of the signatory.`

function controlOf({ asn, method }: AsnProved): string {
  if (method === 'staff') return `for which staff of the operator confirmed control of ${formatAsn(asn)}`
  const how = method && PROOF_LABELS[method]
  return how ? `that proved control of ${formatAsn(asn)} by ${how}` : `whose ${formatAsn(asn)} was verified`
}

const KIND_LABELS: Readonly<Record<EvidenceKind, string>> = {
  roa: 'ROA',
  route_object: 'Route object',
  rdap_holder: 'Registered holder',
  rdap_contact: 'Registry contact',
  reverse_dns: 'Reverse DNS',
  inetnum_remark: 'Registry remark',
  rsc: 'RSC',
}
const STRENGTH_LABELS = { strong: 'strong', medium: 'medium', weak: 'weak', contradicts: 'speaks against it' } as const

interface Seen {
  readonly prefix: string
  readonly approved: boolean
  readonly holder: { readonly name: string; readonly registry: string; readonly at: Date } | null
  readonly rpki: CheckStatus
  readonly irr: CheckStatus
  /** Unexpired evidence. */
  readonly evidence: readonly Evidence[]
}

export function evidenceLines({ prefix, approved, holder, rpki, irr, evidence }: Seen): string[] {
  return [
    `${prefix} was ${approved ? 'approved' : 'requested and not yet approved'}.`,
    holder
      ? `Registered holder of the block, according to ${holder.registry} on ${day(holder.at)}: ${holder.name}.`
      : 'The registered holder of the block was not known.',
    `Origin validation (RFC 6811): ${RESULT_TEXT[rpki]}. IRR: ${RESULT_TEXT[irr]}.`,
    ...evidence.map(
      ({ kind, source, strength, seen, observedAt }) =>
        `${KIND_LABELS[kind]} (${source}, ${STRENGTH_LABELS[strength]}), seen ${day(observedAt)}: ${seen}`,
    ),
    ...(evidence.length === 0 ? ['No other evidence was seen.'] : []),
  ]
}

export const day = (at: Date): string => at.toISOString().slice(0, 10)
