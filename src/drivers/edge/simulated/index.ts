/**
 * An edge in memory for machines without BIRD: it accepts and refuses the same states, and its customers announce all
 * their approved prefixes. It rejects those whose origin is invalid.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemClock, type Clock } from '../../../kernel/clock.ts'
import { parsePrefix } from '../../../kernel/prefix.ts'
import { canonicalState, familyOf, requireSupported } from '../canonical-state.ts'
import { carriedBy } from '../carried.ts'
import {
  FULL_TABLE,
  judgeOrigin,
  simulateCandidates,
  simulateReceived,
  simulateSent,
  UPSTREAM,
  type OriginCheck,
  type UpState,
} from './seen.ts'
import {
  ALL_CAPABILITIES,
  EdgeError,
  receiveLimit,
  type EdgeCapabilities,
  type EdgeCustomer,
  type EdgeDesiredState,
  type EdgeDriver,
  type EdgeNeighbor,
  type EdgeSession,
} from '../index.ts'

export interface SimulatedEdgeOptions {
  /** A file that keeps the running state across a restart. Without it the edge starts empty. */
  readonly file?: string
  /** How long a session takes to come up after it was configured; 2 seconds. */
  readonly sessionDelayMs?: number
  readonly clock?: Clock
  /** For an edge with fewer features. */
  readonly capabilities?: EdgeCapabilities
  /** Origin validation, as an edge does with its own RPKI data. Without it the edge accepts every origin. */
  readonly isInvalid?: OriginCheck
}

interface Running {
  readonly generation: string
  readonly state: EdgeDesiredState
  /** When each session was last reconfigured, by {@link sessionKey}, in milliseconds. */
  readonly configuredAt: Readonly<Record<string, number>>
}

export function createSimulatedEdge(options: SimulatedEdgeOptions = {}): EdgeDriver {
  const {
    file,
    sessionDelayMs = 2000,
    clock = systemClock,
    capabilities = ALL_CAPABILITIES,
    isInvalid = () => false,
  } = options
  const began = clock.now()
  let loaded: Promise<Running | null> | null = null
  let queue: Promise<unknown> = Promise.resolve()
  let neighbors: ReadonlyMap<string, string> = new Map()
  const current = (): Promise<Running | null> => (loaded ??= file ? load(file) : Promise.resolve(null))

  const canonical = (desired: EdgeDesiredState): EdgeDesiredState => {
    const state = canonicalState(desired)
    requireSupported(state, capabilities)
    return state
  }

  const applyOne = async (desired: EdgeDesiredState) => {
    const state = canonical(desired)
    const generation = digest(state)
    const before = await current()
    if (before?.generation === generation) return { generation, changed: false }
    const running = { generation, state, configuredAt: configureTimes(before, state, clock.now().getTime()) }
    if (file) await save(file, running)
    loaded = Promise.resolve(running)
    return { generation, changed: true }
  }

  const upNow = async (): Promise<UpState> => {
    const running = await current()
    const now = clock.now().getTime()
    const sessions = (running?.state.customers ?? []).flatMap((customer) =>
      customer.neighbors.map((neighbor) => {
        const since = running!.configuredAt[sessionKey(customer, neighbor)]! + sessionDelayMs
        return { customer, neighbor, since: new Date(since) }
      }),
    )
    return {
      isInvalid,
      localAsn: running?.state.localAsn ?? 0,
      customers: (running?.state.customers ?? []).filter(({ enabled }) => enabled),
      sessions: sessions.filter(
        ({ customer, neighbor, since }) =>
          simulateSession(customer, neighbor, { since: since.getTime(), now, delay: 0, isInvalid }).state ===
          'ESTABLISHED',
      ),
    }
  }

  return {
    kind: 'simulated',
    capabilities,
    generationOf: (state) => digest(canonical(state)),

    apply(state) {
      const result = queue.then(() => applyOne(state))
      queue = result.catch(() => {})
      return result
    },

    async running() {
      return { generation: (await current())?.generation ?? null, version: 'simulated' }
    },

    async carried() {
      const running = await current()
      return running && carriedBy(running.state)
    },

    async sessions() {
      const running = await current()
      const now = clock.now().getTime()
      return (running?.state.customers ?? []).flatMap((customer) =>
        customer.neighbors.map((neighbor) => {
          const since = running!.configuredAt[sessionKey(customer, neighbor)]!
          return simulateSession(customer, neighbor, { since, now, delay: sessionDelayMs, isInvalid })
        }),
      )
    },

    async upstreams() {
      const { customers, sessions } = await upNow()
      return ([4, 6] as const).map((family) => ({
        name: `upstream1_v${family}`,
        asn: UPSTREAM.asn,
        address: UPSTREAM.address[family],
        state: 'ESTABLISHED' as const,
        since: began,
        received: FULL_TABLE[family].length,
        exported:
          sessions
            .filter(({ neighbor }) => neighbor.family === family)
            .reduce((sum, { customer: { accept } }) => sum + acceptedOf(accept, family, isInvalid), 0) +
          customers.flatMap(originatedFor).filter((prefix) => familyOf(prefix) === family).length,
        lastError: null,
      }))
    },

    refusedFromUpstreams: () => Promise.resolve({ logError: null, rejections: [] }),

    async routes(customerId, limit = 1000) {
      const running = await current()
      const customer = running?.state.customers.find((candidate) => candidate.id === customerId)
      const now = clock.now().getTime()
      const isUp = (neighbor: EdgeNeighbor): boolean =>
        simulateSession(customer!, neighbor, {
          since: running!.configuredAt[sessionKey(customer!, neighbor)]!,
          now,
          delay: sessionDelayMs,
          isInvalid,
        }).state === 'ESTABLISHED'
      const families = customer?.neighbors.filter(isUp).map((neighbor) => neighbor.family) ?? []
      const announced = (customer?.accept ?? [])
        .filter((entry) => families.includes(familyOf(entry.prefix)))
        .map(({ prefix, origin }) => ({ prefix, origin, ...judgeOrigin(prefix, origin, isInvalid) }))
      const originated = customer?.enabled ? originatedFor(customer) : []
      const origin = running?.state.localAsn ?? null
      const statics = originated.map((prefix) => ({ prefix, origin, accepted: true, rejection: null }))
      return [...announced, ...statics].slice(0, limit).map((route) => ({ ...route, exported: route.accepted }))
    },

    receivedRoutes: async (customerId, limit) => simulateReceived(await upNow(), customerId, limit),
    sentRoutes: async (customerId, query) => simulateSent(await upNow(), customerId, query),
    candidates: async (target, limit) => simulateCandidates(await upNow(), parsePrefix(target), limit),

    rpki: () => Promise.resolve(null),

    async pinNeighbors(hosts) {
      const wanted = new Map(hosts.map(({ address, mac }) => [address, mac]))
      const differs = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>) =>
        [...a].filter(([address, mac]) => b.get(address) !== mac).length
      const gone = [...neighbors.keys()].filter((address) => !wanted.has(address)).length
      const changed = differs(wanted, neighbors) + gone
      neighbors = wanted
      return { changed }
    },

    pinnedNeighbors: () => Promise.resolve([...neighbors].map(([address, mac]) => ({ address, mac }))),

    close: () => Promise.resolve(),
  }
}

/** The prefixes that the edge itself announces for a customer. */
const originatedFor = ({ statics, blackholes = [] }: EdgeCustomer): readonly string[] => [
  ...statics.map(({ prefix }) => prefix),
  ...blackholes,
]

const countOf = (accept: EdgeCustomer['accept'], family: 4 | 6): number =>
  accept.filter((entry) => familyOf(entry.prefix) === family).length

const acceptedOf = (accept: EdgeCustomer['accept'], family: 4 | 6, isInvalid: OriginCheck): number =>
  countOf(
    accept.filter(({ prefix, origin }) => !isInvalid(prefix, origin)),
    family,
  )

function simulateSession(
  customer: EdgeCustomer,
  neighbor: EdgeNeighbor,
  { isInvalid, ...time }: { since: number; now: number; delay: number; isInvalid: OriginCheck },
): EdgeSession {
  const received = countOf(customer.accept, neighbor.family)
  const enabled = customer.enabled && !neighbor.overLimit
  const delayed = time.now - time.since >= time.delay
  const tripped = enabled && delayed && received > (neighbor.receiveLimit ?? receiveLimit(received))
  const up = enabled && delayed && !tripped
  const full = customer.exports === 'default' ? 0 : FULL_TABLE[neighbor.family].length
  return {
    customerId: customer.id,
    family: neighbor.family,
    state: up ? 'ESTABLISHED' : enabled && !tripped ? 'CONNECT' : 'DISABLED',
    since: new Date(up ? time.since + time.delay : time.since),
    received: up ? received : 0,
    accepted: up ? acceptedOf(customer.accept, neighbor.family, isInvalid) : 0,
    exported: up ? full + (customer.exports === 'full' ? 0 : 1) : 0,
    lastError: tripped ? 'Automatic shutdown: Route limit exceeded' : null,
    ...(tripped && { tripped }),
    ...(neighbor.bfd && enabled && !tripped && { bfd: up ? 'UP' : 'DOWN' }),
  }
}

/**
 * The settings whose change restarts a session on a real edge: addresses, MD5 key, enabled. Prefixes and BFD do not.
 */
const sessionKey = (customer: EdgeCustomer, neighbor: EdgeNeighbor): string =>
  digest([customer.id, customer.asn, customer.enabled, customer.password, { ...neighbor, bfd: undefined }])

function configureTimes(before: Running | null, state: EdgeDesiredState, now: number): Record<string, number> {
  const keys = state.customers.flatMap((customer) =>
    customer.neighbors.map((neighbor) => sessionKey(customer, neighbor)),
  )
  return Object.fromEntries(keys.map((key) => [key, before?.configuredAt[key] ?? now]))
}

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)

async function load(file: string): Promise<Running | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  try {
    const { state, configuredAt } = JSON.parse(text) as Running
    const canonical = canonicalState(state)
    return { generation: digest(canonical), state: canonical, configuredAt: { ...configuredAt } }
  } catch (error) {
    throw new EdgeError('internal', `The simulated edge cannot read ${file}: remove the file to start empty.`, {
      cause: error,
    })
  }
}

async function save(file: string, running: Running): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.tmp`, JSON.stringify(running), { mode: 0o600 })
  await rename(`${file}.tmp`, file)
}
