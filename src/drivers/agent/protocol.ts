/**
 * The protocol between portal and agent: one HTTP/2 request for each call, JSON both ways, and a
 * stream of bytes for consoles. Both sides parse everything; a method that is not listed here does not exist. See
 * docs/decisions/0034-agents.md.
 */
import { z } from 'zod'
import { MAX_REJECTIONS, MAX_UPSTREAMS } from '../edge/index.ts'

export const ALPN_AGENT = 'longhaul-agent/1'
export const ALPN_ENROL = 'longhaul-enrol/1'

export interface Method<A extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly args: A
  readonly result: R
  /** Requires a lease; without a response it may still take effect. */
  readonly changes: boolean
  /** The time from the request to the complete response. A deadline that the caller asks for is added. */
  readonly withinMs: number
  /** The largest response in bytes. */
  readonly largest: number
}

export type Methods = Readonly<Record<string, Method>>

const MIB = 1 << 20

const reads = <A extends z.ZodType, R extends z.ZodType>(args: A, result: R, largest = MIB): Method<A, R> => ({
  args,
  result,
  changes: false,
  withinMs: 60_000,
  largest,
})
const changes = <A extends z.ZodType, R extends z.ZodType>(args: A, result: R, withinMs = 120_000): Method<A, R> => ({
  args,
  result,
  changes: true,
  withinMs,
  largest: MIB,
})

const NOTHING = z.strictObject({})
/** JSON has no undefined. */
const done = z.codec(z.null(), z.void(), { decode: () => undefined, encode: () => null })
const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
/** Callers may pass anything: the driver decides how to reject it. */
const named = z.strictObject({ uuid: z.string().max(100) })
const text = (longest: number) => z.string().max(longest)
const count = z.number().int().nonnegative()
const date = z.codec(z.iso.datetime(), z.date(), {
  decode: (iso) => new Date(iso),
  encode: (value) => value.toISOString(),
})
const counter = z.codec(z.string().regex(/^\d{1,20}$/), z.bigint(), {
  decode: (digits) => BigInt(digits),
  encode: String,
})
const prefix = text(50)
const address = text(50)
const mac = z.string().regex(/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/)

const state = z.enum(['absent', 'off', 'starting', 'running', 'paused', 'stopping', 'crashed', 'unknown'])

export const hypervisorEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('machine'), uuid, state }),
  z.object({ type: z.literal('agent'), uuid, up: z.boolean() }),
  z.object({ type: z.literal('connected') }),
  z.object({ type: z.literal('lost'), reason: text(2_000) }),
])

const machineSpec = z.strictObject({
  uuid: text(100),
  label: text(200),
  cpus: z.number(),
  memory: z.number(),
  diskSize: z.number(),
  image: text(300),
  nic: z.strictObject({ mac: text(100), allowedSources: z.array(text(100)).readonly() }),
  bootFiles: z.record(z.string(), z.string()),
})

const hypervisorInfo = z.object({
  driver: z.enum(['libvirt', 'simulated']),
  address: text(300).nullable(),
  version: text(300),
  acceleration: z.enum(['kvm', 'tcg', 'none']),
  cpus: count.max(100_000),
  memory: z.number().nonnegative(),
  memoryOverhead: z.number().nonnegative(),
  disk: z.number().nonnegative(),
  cpuUsage: z.number(),
  memoryUsage: z.number(),
})

const imageInfo = z.object({
  name: text(300),
  digest: text(200).nullable(),
  bytes: z.number().nonnegative().nullable(),
  location: text(1_000).nullable(),
  version: text(300).nullable(),
  builtAt: date.nullable(),
})

const machineStats = z.object({
  uuid,
  at: date,
  cpuTimeNs: counter.nullable(),
  memoryUsed: z.number().nonnegative().nullable(),
  memoryTotal: z.number().nonnegative().nullable(),
  rxBytes: counter.nullable(),
  txBytes: counter.nullable(),
})

/** The first message of an agent. */
const hello = z.object({
  release: text(100),
  kind: z.enum(['libvirt', 'simulated', 'bird', 'openbgpd']),
  /** Why this driver was chosen, for display. */
  why: text(500),
  /** For a hypervisor: the installation that owns its driver's machines. */
  installation: uuid.nullable(),
  /** For an edge: its BGP identifier. */
  routerId: z.ipv4().nullable(),
  operatorAsn: z.number().int().nonnegative(),
})
export type Hello = z.output<typeof hello>

const MACHINES = 16 * MIB

export const HYPERVISOR_METHODS = {
  hello: reads(NOTHING, hello),
  facts: reads(NOTHING, hypervisorInfo),
  images: reads(NOTHING, z.array(imageInfo).max(1_000)),
  list: reads(NOTHING, z.array(z.object({ uuid, state })), MACHINES),
  orphanedResources: reads(NOTHING, z.array(uuid), MACHINES),
  state: reads(named, state),
  endedBy: reads(named, z.enum(['guest', 'host'])),
  stats: reads(NOTHING, z.array(machineStats), MACHINES),
  'guest.ping': reads(named, done),
  ensure: changes(machineSpec, z.object({ changed: z.enum(['nothing', 'live', 'needs-restart']) }), 600_000),
  start: changes(named, done),
  stop: changes(
    named.extend({ mode: z.enum(['graceful', 'force']), deadlineMs: z.number().nonnegative().exactOptional() }),
    done,
  ),
  reset: changes(named, done),
  reinstall: changes(named, done, 600_000),
  remove: changes(named, done),
  guardPorts: changes(NOTHING, z.object({ repaired: z.boolean() })),
  'guest.writeFile': changes(
    named.extend({ path: text(1_000), content: z.string(), mode: count.exactOptional() }),
    done,
  ),
  'guest.exec': changes(
    named.extend({
      argv: z.array(z.string()).max(1_000).readonly(),
      deadlineMs: z.number().nonnegative().exactOptional(),
    }),
    z.object({ exitCode: z.number().int(), stdout: text(MIB / 8), stderr: text(MIB / 8) }),
  ),
} satisfies Methods

const edgeState = z.strictObject({
  localAsn: z.number(),
  routerId: text(100),
  customers: z
    .array(
      z.strictObject({
        id: z.number(),
        asn: z.number(),
        enabled: z.boolean(),
        shutdownMessage: text(200).exactOptional(),
        drained: z.boolean().exactOptional(),
        neighbors: z
          .array(
            z.strictObject({
              family: z.literal([4, 6]),
              localAddress: text(100),
              peerAddress: text(100),
              receiveLimit: z.number().exactOptional(),
              overLimit: z.boolean().exactOptional(),
              bfd: z.boolean().exactOptional(),
            }),
          )
          .readonly(),
        accept: z
          .array(z.strictObject({ prefix: text(100), origin: z.number(), roa: z.boolean().exactOptional() }))
          .readonly(),
        statics: z.array(z.strictObject({ prefix: text(100), nextHop: text(100) })).readonly(),
        blackholes: z.array(text(100)).readonly().exactOptional(),
        exports: z.enum(['default', 'full', 'default-and-full']),
        password: text(200).exactOptional(),
      }),
    )
    .readonly(),
})

const sessionState = z.enum(['IDLE', 'CONNECT', 'ACTIVE', 'OPENSENT', 'OPENCONFIRM', 'ESTABLISHED', 'DISABLED'])

const edgeSession = z.object({
  customerId: count,
  family: z.literal([4, 6]),
  state: sessionState,
  since: date.nullable(),
  received: count,
  accepted: count,
  exported: count,
  lastError: text(2_000).nullable(),
  tripped: z.boolean().exactOptional(),
  bfd: z.enum(['UP', 'DOWN', 'NO_ANSWER']).exactOptional(),
})

const upstreamSession = z.object({
  name: text(100),
  asn: count.max(4_294_967_295),
  address: text(100),
  state: sessionState,
  since: date.nullable(),
  received: count,
  exported: count,
  lastError: text(2_000).nullable(),
})

const rejection = z.literal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18])

/** Staff see it as the edge's own message: one line. */
const line = (longest: number) => text(longest).regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u)
const upstreamRejections = z.object({
  logError: line(500).nullable(),
  rejections: z
    .array(
      z.object({
        upstream: line(100),
        prefix: text(50)
          .regex(/^[0-9a-f.:]+\/\d{1,3}$/)
          .nullable(),
        rejection,
        at: date,
      }),
    )
    .max(MAX_REJECTIONS)
    .readonly(),
})

const edgeRoute = z.object({
  prefix,
  origin: count.max(4_294_967_295).nullable(),
  accepted: z.boolean(),
  rejection: rejection.nullable(),
  exported: z.boolean().exactOptional(),
})

const seenRoute = z.object({
  prefix,
  asPath: text(1_000),
  origin: count.max(4_294_967_295).nullable(),
  communities: z.array(text(40)).max(32).readonly(),
  since: date.nullable(),
})
const receivedRoute = seenRoute.extend({
  nextHop: address.nullable(),
  accepted: z.boolean(),
  rejection: rejection.nullable(),
})
const candidateRoute = seenRoute.extend({
  best: z.boolean(),
  source: z.enum(['customer', 'upstream', 'own']),
  customerId: count.nullable(),
  nextHop: address.nullable(),
  preference: count,
  localPreference: count.nullable(),
  originType: z.enum(['IGP', 'EGP', 'INCOMPLETE']).nullable(),
  med: count.nullable(),
  blackhole: z.boolean(),
})
const routeList = <R extends z.ZodType>(route: R) =>
  z.object({ routes: z.array(route).max(10_000).readonly(), complete: z.boolean() })
const limit = count.max(10_000)

const carried = z.array(
  z.object({
    id: count,
    asn: count,
    enabled: z.boolean(),
    accept: z.array(z.object({ prefix, origin: count })).readonly(),
    statics: z.array(prefix).readonly(),
  }),
)

const edgeRpki = z
  .object({
    vrps: count,
    caches: z
      .array(z.object({ name: text(64), up: z.boolean(), status: text(60) }))
      .max(100)
      .readonly(),
  })
  .nullable()

const pinned = z.array(z.object({ address, mac }))
const generation = text(200)

export const EDGE_METHODS = {
  hello: reads(NOTHING, hello),
  running: reads(NOTHING, z.object({ generation: generation.nullable(), version: text(300) })),
  carried: reads(NOTHING, carried.nullable(), 64 * MIB),
  sessions: reads(NOTHING, z.array(edgeSession), 16 * MIB),
  upstreams: reads(NOTHING, z.array(upstreamSession).max(MAX_UPSTREAMS)),
  refusedFromUpstreams: reads(NOTHING, upstreamRejections),
  routes: reads(
    z.strictObject({ customerId: count, limit: count.exactOptional() }),
    z.array(edgeRoute).max(100_000),
    16 * MIB,
  ),
  receivedRoutes: reads(z.strictObject({ customerId: count, limit }), routeList(receivedRoute), 16 * MIB),
  sentRoutes: reads(
    z.strictObject({ customerId: count, within: prefix.exactOptional(), limit }),
    routeList(seenRoute),
    16 * MIB,
  ),
  candidates: reads(z.strictObject({ target: prefix, limit }), routeList(candidateRoute)),
  rpki: reads(NOTHING, edgeRpki),
  pinnedNeighbors: reads(NOTHING, pinned, 16 * MIB),
  apply: changes(edgeState, z.object({ generation, changed: z.boolean() }), 600_000),
  pinNeighbors: changes(
    z.strictObject({ hosts: z.array(z.strictObject({ address, mac: text(100), gateway: address })).readonly() }),
    z.object({ changed: count }),
  ),
} satisfies Methods

/** A desired state of a million prefixes takes some 60 MB. */
export const LARGEST_QUESTION = 256 * MIB

/** A driver's error, as the driver reported it. */
export const failure = z.object({ kind: text(40), message: text(2_000), code: z.number().int().exactOptional() })
export type Failure = z.output<typeof failure>

/** The lease of a request: its epoch, and for how many milliseconds it is still held. */
export const LEASE_HEADER = 'longhaul-lease'
export const leaseHeader = z
  .string()
  .regex(/^\d{1,19} \d{1,5}$/)
  .transform((header) => {
    const [epoch, leftMs] = header.split(' ') as [string, string]
    return { epoch: BigInt(epoch), leftMs: Number(leftMs) }
  })

/** An agent exchanges its token, once, for a certificate of its own key. */
export const enrolRequest = z.object({ token: text(200), publicKey: text(2_000) })
export const enrolReply = z.union([
  z.object({ certificate: text(10_000), role: z.enum(['hypervisor', 'edge']), slug: text(100) }),
  z.object({ refused: text(1_000) }),
])
export type EnrolRequest = z.output<typeof enrolRequest>
export type EnrolReply = z.output<typeof enrolReply>
