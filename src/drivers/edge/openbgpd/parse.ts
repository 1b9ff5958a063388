/** Parses the output of `bgpctl -j`. */
import { z } from 'zod'
import { MAX_ASN } from '../../../kernel/asn.ts'
import { formatPrefix, tryParsePrefix } from '../../../kernel/prefix.ts'
import { EdgeError, REJECTION_REASONS, type CandidateRoute, type RejectionCode, type SeenRoute } from '../index.ts'
import type { Output } from './control.ts'

const seconds = z.number().optional()
const neighborsSchema = z.object({
  neighbors: z
    .array(
      z.object({
        description: z.string().optional(),
        group: z.string().optional(),
        remote_addr: z.string(),
        remote_as: z.coerce.number().optional(),
        state: z.string(),
        last_updown_sec: seconds,
        last_error_sent: z.unknown().optional(),
        last_error_received: z.unknown().optional(),
        config: z.object({ down: z.boolean().optional() }).optional(),
        stats: z.object({ prefixes: z.object({ sent: z.number(), received: z.number() }).optional() }).optional(),
      }),
    )
    .optional(),
})
export type Neighbor = NonNullable<z.output<typeof neighborsSchema>['neighbors']>[number]

const ribSchema = z.object({
  rib: z
    .array(
      z.object({
        prefix: z.string(),
        aspath: z.string().optional(),
        exit_nexthop: z.string().optional(),
        neighbor: z.object({ description: z.string().optional() }).optional(),
        best: z.boolean().optional(),
        valid: z.boolean().optional(),
        source: z.string().optional(),
        origin: z.string().optional(),
        metric: z.number().optional(),
        localpref: z.number().optional(),
        last_update_sec: seconds,
        communities: z.array(z.string()).optional(),
        large_communities: z.array(z.string()).optional(),
        attributes: z.array(z.object({ type: z.string().optional() })).optional(),
      }),
    )
    .optional(),
})

const setsSchema = z.object({
  sets: z
    .array(
      z.object({
        name: z.string(),
        type: z.string(),
        num_IPv4: z.number().optional(),
        num_IPv6: z.number().optional(),
      }),
    )
    .optional(),
})
const rtrSchema = z.object({
  rtrs: z
    .array(z.object({ descr: z.string().optional(), remote_addr: z.string().optional(), state: z.string().optional() }))
    .optional(),
})

/** The reason that a router gives for closing a session is printed with vis(3) escapes, which are not valid JSON. */
const withValidEscapes = (text: string): string =>
  text.replaceAll(/\\(["\\/bfnrt]|u[0-9a-fA-F]{4})?/g, (all, known) => (known === undefined ? '\\\\' : all))

function parseWith<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text === '' ? '{}' : withValidEscapes(text)))
  } catch (cause) {
    throw new EdgeError('internal', `bgpctl gave an answer that cannot be read: ${text.trim().slice(0, 120)}`, {
      cause,
    })
  }
}

export const parseNeighbors = ({ text }: Output): readonly Neighbor[] =>
  parseWith(neighborsSchema, text).neighbors ?? []
export const parseSets = ({ text }: Output) => parseWith(setsSchema, text).sets ?? []
export const parseRtrs = ({ text }: Output) => parseWith(rtrSchema, text).rtrs ?? []

/** A route with OpenBGPD's own values. */
export interface BgpdRoute extends SeenRoute {
  /** The neighbor that it came from or is sent to; `LOCAL` for the edge's own routes. */
  readonly neighbor: string
  readonly best: boolean
  /** False: the rules accepted it, but it is not used. */
  readonly usable: boolean
  /** A customer's route with an Only-to-Customer attribute is a leak (RFC 9234); bgpd keeps it and does not use it. */
  readonly hasOtc: boolean
  readonly nextHop: string | null
  readonly localPreference: number | null
  readonly originType: CandidateRoute['originType']
  readonly med: number | null
  readonly blackhole: boolean
  /** The lowest of its rejection reasons. */
  readonly rejection: RejectionCode | null
  /** The third part of `(ASN, 1, x)`: 1 customer, 2 upstream, 3 own. */
  readonly mark: number | null
  /** The customer of `(ASN, 2, x)`. */
  readonly customerId: number | null
}

const MAX_COMMUNITIES = 32
const MAX_PATH_TEXT = 1_000
/** Customers request actions with `(ASN, 1000…1013, x)`; all other communities of our ASN belong to the edge itself. */
const ASKED_FOR = [1000, 1010, 1011, 1012, 1013]
const WELL_KNOWN: Readonly<Record<string, string>> = {
  GRACEFUL_SHUTDOWN: '65535:0',
  BLACKHOLE: '65535:666',
  NO_EXPORT: '65535:65281',
  NO_ADVERTISE: '65535:65282',
  NO_EXPORT_SUBCONFED: '65535:65283',
  NO_PEER: '65535:65284',
}
const ORIGINS: Readonly<Record<string, CandidateRoute['originType']>> = {
  IGP: 'IGP',
  EGP: 'EGP',
  incomplete: 'INCOMPLETE',
}

/** Parses `show rib detail`; omits the last route of a truncated reply. */
export function parseRib(output: Output, localAsn: number): BgpdRoute[] {
  const now = Date.now()
  return (parseWith(ribSchema, output.truncated ? closeJson(output.text) : output.text).rib ?? []).flatMap((route) => {
    const prefix = tryParsePrefix(route.prefix)
    if (prefix === null) return []
    const ours = (route.large_communities ?? []).flatMap((text) => {
      const [asn, kind, value] = text.split(':').map(Number)
      return asn === localAsn ? [{ kind: kind!, value: value!, text }] : []
    })
    const ourTexts = new Map(ours.map((one) => [one.text, one.kind]))
    const codes = ours.flatMap(({ kind, value }) => (kind === 1101 ? [value] : [])).toSorted((a, b) => a - b)
    const asPath = (route.aspath ?? '').slice(0, MAX_PATH_TEXT)
    const communities = [
      ...(route.communities ?? []).map((text) => WELL_KNOWN[text] ?? text),
      ...(route.large_communities ?? []).filter((text) => ASKED_FOR.includes(ourTexts.get(text) ?? ASKED_FOR[0]!)),
    ]
    return {
      prefix: formatPrefix(prefix),
      asPath,
      origin: originOf(asPath),
      communities: communities.slice(0, MAX_COMMUNITIES),
      since: route.last_update_sec === undefined ? null : new Date(now - route.last_update_sec * 1000),
      neighbor: route.neighbor?.description ?? '',
      best: route.best === true,
      usable: route.valid !== false,
      hasOtc: route.attributes?.some(({ type }) => type === 'OTC') === true,
      nextHop: route.exit_nexthop ?? null,
      localPreference: route.localpref ?? null,
      originType: ORIGINS[route.origin ?? ''] ?? null,
      med: route.metric ?? null,
      blackhole: route.communities?.includes('BLACKHOLE') === true,
      rejection: codes.map(knownRejection).find((code) => code !== null) ?? null,
      mark: ours.find(({ kind }) => kind === 1)?.value ?? null,
      customerId: ours.find(({ kind }) => kind === 2)?.value ?? null,
    }
  })
}

/** An AS_SET at the end means that there is no single origin (RFC 6811 section 2). */
function originOf(asPath: string): number | null {
  const last = Number(/(?:^|\s)(\d{1,10})$/.exec(asPath)?.[1] ?? Number.NaN)
  return last <= MAX_ASN ? last : null
}

const knownRejection = (code: number): RejectionCode | null =>
  Object.hasOwn(REJECTION_REASONS, code) ? (code as RejectionCode) : null

/** bgpctl indents with tabs: a route ends with a brace at the second level. */
function closeJson(text: string): string {
  const end = text.lastIndexOf('\n\t\t},')
  return end < 0 ? '{}' : `${text.slice(0, end)}\n\t\t}\n\t]\n}`
}
