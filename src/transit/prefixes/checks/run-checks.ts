/** Queries RPKI and the IRR about one prefix. An unavailable source gives UNKNOWN, never an error and never a guess. */
import type { IrrSource, RouteObject } from '../../../drivers/irr/index.ts'
import type { RpkiSource } from '../../../drivers/rpki/index.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { formatPrefix, type Prefix } from '../../../kernel/prefix.ts'
import { judgeConsent, type Consent } from '../../downstreams/consent.ts'
import type { DownstreamEvidence } from '../../downstreams/evidence.ts'
import type { TransitDeps } from '../../deps.ts'
import { createAsSets, isUnavailable, type AsSetAnswer, type AsSets, type RememberedAsSets } from './as-sets.ts'
import {
  evaluateRouteObjects,
  NOTHING_KNOWN_IRR,
  NOTHING_KNOWN_RPKI,
  resolveOrigin,
  type CheckResults,
} from './check-results.ts'
import type { AnnouncementType } from '../../states.ts'

export interface Sources {
  readonly rpki: RpkiSource
  readonly irr: IrrSource
  readonly asSets: AsSets
  readonly clock: Clock
}

/** Sources that outlive a check, so that their cache serves the next one. */
export interface LastingSources extends Sources {
  readonly asSets: RememberedAsSets
}

export const createSources = (
  deps: Pick<TransitDeps, 'rpki' | 'irr' | 'networks' | 'clock' | 'sharedMaintainers'>,
): LastingSources => ({
  rpki: deps.rpki,
  irr: deps.irr,
  clock: deps.clock,
  asSets: createAsSets(deps),
})

export interface Question {
  readonly prefix: Prefix
  readonly type: AnnouncementType
  readonly requestedOrigin: number | null
  readonly customerAsn: number | null
  readonly operatorAsn: number
  readonly asSet: string | null
  /** The downstreams that agreed by email, and until when that is valid. */
  readonly mailConsents: ReadonlyMap<number, Date>
  /** How the downstream agreed at the last check. */
  readonly agreedBy?: Consent['how']
}

/** A user waits for some of these. After this the answer is UNKNOWN for now. */
const IRR_DEADLINE_MS = 4_000
const MAX_MAINTAINERS = 10

export async function runChecks(sources: Sources, question: Question, signal?: AbortSignal): Promise<CheckResults> {
  const { prefix } = question
  const [objects, asSet] = await Promise.all([
    routeObjects(sources, prefix, signal),
    question.type === 'DOWNSTREAM' && question.asSet ? sources.asSets.expand(question.asSet) : null,
  ])
  const text = formatPrefix(prefix)
  const { origin, membership } = resolveOrigin({
    type: question.type,
    customerAsn: question.customerAsn,
    operatorAsn: question.operatorAsn,
    requested: question.requestedOrigin,
    asSet: asSet?.status === 'VALID' ? asSet : asSet?.status === 'UNKNOWN' ? 'unknown' : null,
    vrpOrigins: originsOfVrps(sources.rpki, prefix),
    irrOrigins: (objects ?? []).filter((object) => object.prefix === text).map((object) => object.origin),
  })
  return {
    origin,
    membership,
    rpki: origin === null ? NOTHING_KNOWN_RPKI : sources.rpki.validate(prefix, origin),
    irr: objects === null ? NOTHING_KNOWN_IRR : evaluateRouteObjects(objects, text, origin, sources.clock.now()),
    downstream: asSet && (await findDownstream(sources, question, asSet, origin)),
  }
}

async function findDownstream(
  { asSets, rpki }: Sources,
  { customerAsn, asSet: name, agreedBy = null, mailConsents }: Question,
  answer: AsSetAnswer,
  origin: number | null,
): Promise<DownstreamEvidence | null> {
  if (answer.status === 'UNKNOWN' || customerAsn === null) return null
  if (answer.status === 'NOT_FOUND') {
    if (answer.sources.length === 0) return null
    const set = {
      name: name!,
      source: null,
      maintainers: [],
      ambiguous: answer.sources,
      status: 'NOT_OWN',
      how: null,
    } as const
    return { set, member: null, consent: null }
  }
  const { object, members } = answer.set
  const ownership = await asSets.ownership(customerAsn, object)
  const member = members.find((one) => one.asn === origin)
  return {
    set: {
      ...ownership,
      name: `${object.source}::${object.name}`,
      source: object.source,
      maintainers: object.maintainers.slice(0, MAX_MAINTAINERS),
      ambiguous: [],
    },
    member: member ? { path: member.path, weak: member.weak } : null,
    consent:
      origin === null
        ? null
        : judgeConsent({
            customerAsn,
            origin,
            aspa: rpki.aspa(origin),
            autNums: await asSets.autNums(origin),
            set: object,
            ownership: ownership.status,
            mailUntil: mailConsents.get(origin) ?? null,
            before: agreedBy,
          }),
  }
}

async function routeObjects(
  { irr }: Sources,
  prefix: Prefix,
  signal: AbortSignal | undefined,
): Promise<RouteObject[] | null> {
  const deadline = AbortSignal.timeout(IRR_DEADLINE_MS)
  try {
    return await irr.routeObjects(prefix, signal ? AbortSignal.any([signal, deadline]) : deadline)
  } catch (error) {
    if (isUnavailable(error)) return null
    throw error
  }
}

/** Origins that a ROA permits for exactly this length. AS0 matches no VRP, so all VRPs are listed as unmatched (RFC 6483 section 4). */
const originsOfVrps = (rpki: RpkiSource, prefix: Prefix): number[] =>
  rpki
    .validate(prefix, 0)
    .vrps.filter((vrp) => vrp.maxLength >= prefix.length && vrp.asn !== 0)
    .map((vrp) => vrp.asn)
