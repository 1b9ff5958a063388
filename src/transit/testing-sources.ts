/** Fake sources and an edge that answer and fail as a test tells them. */
import { DnsError, type TxtAnswer, type TxtResolver } from '../drivers/dns/index.ts'
import { EdgeError, type EdgeDriver } from '../drivers/edge/index.ts'
import {
  IrrError,
  isAuthoritative,
  splitAsSetName,
  type AutNumObject,
  type ExpandedAsSet,
  type IrrSource,
  type RouteObject,
} from '../drivers/irr/index.ts'
import {
  RegistryError,
  type NetworkRecord,
  type Registry,
  type RegistryContact,
  type SpaceRegistry,
} from '../drivers/registry/index.ts'
import type { RegistryName } from '../drivers/registry/registry-names.ts'
import type { AspaAnswer, RpkiSource, RpkiStatusReport, Vrp } from '../drivers/rpki/index.ts'
import { containsPrefix, formatPrefix, parsePrefix } from '../kernel/prefix.ts'

/** Origin validation over a handful of VRPs; `no_agent` has no data. */
interface TestRpki extends RpkiSource {
  vrps: Vrp[]
  /** Providers by customer ASN; null when the source has no ASPA objects. */
  aspas: Map<number, number[]> | null
  unreachable: boolean
  change(vrps: Vrp[]): void
}

export function rpkiOf(): TestRpki {
  const listeners = new Set<() => void>()
  const source: TestRpki = {
    vrps: [],
    aspas: null,
    unreachable: false,
    change(vrps) {
      source.vrps = vrps
      for (const listener of listeners) listener()
    },
    validate(prefix, origin) {
      if (source.unreachable) return { status: 'UNKNOWN', reason: null, vrps: [], asOf: null }
      const covering = source.vrps
        .filter((vrp) => containsPrefix(parsePrefix(vrp.prefix), prefix))
        .map((vrp) => ({ ...vrp, matched: vrp.asn === origin && origin !== 0 && prefix.length <= vrp.maxLength }))
      const asOf = new Date()
      if (covering.length === 0) return { status: 'NOT_FOUND', reason: null, vrps: [], asOf }
      if (covering.some((vrp) => vrp.matched)) return { status: 'VALID', reason: null, vrps: covering, asOf }
      const reason = covering.some((vrp) => vrp.asn === origin) ? 'LENGTH' : 'AS'
      return { status: 'INVALID', reason, vrps: covering, asOf }
    },
    verdict: (prefix, origin) => source.validate(prefix, origin),
    aspa(asn): AspaAnswer {
      if (source.unreachable || !source.aspas) return { status: 'UNKNOWN' }
      const providers = source.aspas.get(asn)
      return providers ? { status: 'PROVIDERS', providers, asOf: new Date() } : { status: 'NONE', asOf: new Date() }
    },
    report: (): RpkiStatusReport => ({
      source: 'test',
      state: source.unreachable ? 'expired' : 'current',
      count: source.vrps.length,
      asOf: null,
      error: null,
    }),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => Promise.resolve(),
  }
  return source
}

interface TestIrr extends IrrSource {
  objects: RouteObject[]
  asSets: Map<string, number[] | ExpandedAsSet>
  autNumObjects: AutNumObject[]
  /** `irr_as_set` by ASN. */
  peeringDb: Map<number, string>
  /** Registries by ASN. */
  registries: Map<number, RegistryName>
  unreachable: boolean
}

export function irrOf(): TestIrr {
  const source: TestIrr = {
    objects: [],
    asSets: new Map(),
    autNumObjects: [],
    peeringDb: new Map(),
    registries: new Map(),
    unreachable: false,
    async routeObjects(prefix) {
      if (source.unreachable) throw new IrrError('unreachable', 'nobody answers')
      return source.objects.filter((object) => containsPrefix(parsePrefix(object.prefix), prefix))
    },
    async expandAsSet(name) {
      if (source.unreachable) throw new IrrError('unreachable', 'nobody answers')
      const set = source.asSets.get(name)
      if (!set) return { kind: 'missing' }
      return Array.isArray(set) ? setOf(name, set) : set
    },
    async originated(asns) {
      if (source.unreachable) throw new IrrError('unreachable', 'nobody answers')
      return source.objects.filter(({ origin }) => asns.includes(origin))
    },
    async autNums(asn) {
      if (source.unreachable) throw new IrrError('unreachable', 'nobody answers')
      return source.autNumObjects.filter((object) => object.asn === asn)
    },
    close: () => Promise.resolve(),
  }
  return source
}

/** Adds a set below the customer's ASN. The aut-num of each member names the customer. */
export function addDownstreams(irr: TestIrr, customerAsn: number, asns: readonly number[]): string {
  const name = `AS${customerAsn}:AS-CUSTOMERS`
  irr.asSets.set(name, setOf(name, asns))
  const object = { source: 'RIPE', maintainers: ['OWNER-MNT'], memberOf: [], providers: [customerAsn] }
  irr.autNumObjects.push(...asns.map((asn) => ({ ...object, asn })))
  return name
}

/** A RIPE set that lists these members directly. */
export function setOf(
  text: string,
  asns: readonly number[],
  object: Partial<ExpandedAsSet['object']> = {},
): ExpandedAsSet {
  const { source, name } = splitAsSetName(text)
  const found = { name, source: source ?? 'RIPE', maintainers: ['OWNER-MNT'], membersByRef: [], ...object }
  const path = [`${found.source}::${name}`]
  return {
    kind: 'found',
    object: found,
    members: asns.map((asn) => ({ asn, path, weak: !isAuthoritative(found.source) })),
    reserved: [],
    truncated: false,
  }
}

interface TestRegistry extends SpaceRegistry, Pick<Registry, 'autnum'> {
  /** Networks by prefix. Nothing else is registered. */
  networks: Map<string, NetworkRecord>
  /** Handles of the holders of each ASN. */
  autnums: Map<number, string[]>
  /** Contacts of each ASN. The contacts of a block are in its record. */
  autnumContacts: Map<number, RegistryContact[]>
  domains: Map<string, Date>
  /** When the registry last changed each ASN. */
  autnumChanges: Map<number, Date>
  unreachable: boolean
}

/** A block with an abuse desk and a contact who may speak for it. */
export const heronNetwork = (more: Partial<NetworkRecord> = {}): NetworkRecord => ({
  registry: 'registry.test',
  handle: 'NET-HERON',
  name: null,
  type: 'ASSIGNED PI',
  status: ['active'],
  registeredAt: null,
  changedAt: null,
  isPlaceholder: false,
  holder: 'Heron Networks',
  registrants: ['ORG-HERON'],
  contacts: [
    { email: 'noc@heron.example', roles: ['technical'], source: 'NOC-H' },
    { email: 'abuse@heron.example', roles: ['abuse'], source: 'AB-H' },
  ],
  remarks: [],
  ...more,
})

export function registryOf(): TestRegistry {
  const answer = async <T>(found: () => T): Promise<T> => {
    if (source.unreachable) throw new RegistryError('unreachable', 'registry.test cannot be reached.')
    return found()
  }
  const source: TestRegistry = {
    networks: new Map(),
    autnums: new Map(),
    autnumContacts: new Map(),
    domains: new Map(),
    autnumChanges: new Map(),
    unreachable: false,
    network: (prefix) => answer(() => source.networks.get(formatPrefix(prefix)) ?? null),
    networkContacts: (prefix) => source.network(prefix),
    autnum: (asn) =>
      answer(() => {
        const contacts = source.autnumContacts.get(asn)
        if (!contacts) return null
        const registrants = source.autnums.get(asn) ?? []
        const changedAt = source.autnumChanges.get(asn) ?? null
        return { asn, handle: `AS${asn}`, holder: null, registrants, contacts, remarks: [], changedAt }
      }),
    autnumHolder: (asn) =>
      answer(() => {
        const registrants = source.autnums.get(asn)
        const changedAt = source.autnumChanges.get(asn) ?? null
        return registrants ? { registry: 'registry.test', registrants, changedAt } : null
      }),
    domainRegisteredAt: (domain) => answer(() => source.domains.get(domain) ?? null),
  }
  return source
}

interface TestDns extends TxtResolver {
  /** Zones by name. No other zone exists. */
  zones: Map<string, Partial<TxtAnswer> | DnsError>
  failure: DnsError | null
  /** The queried names. */
  asked: string[]
}

export function dnsOf(): TestDns {
  const source: TestDns = {
    kind: 'simulated',
    server: 'dns.test',
    zones: new Map(),
    failure: null,
    asked: [],
    async txt(name) {
      source.asked.push(name)
      if (source.failure) throw source.failure
      const found = source.zones.get(name)
      if (found instanceof DnsError) throw found
      return { records: [], alias: false, dnssec: 'INSECURE', resolvers: 2, ...found }
    },
  }
  return source
}

/**
 * An edge that can be told to fail, and is otherwise the simulated one. `apply` may fail before or after it took
 * effect. A `frozen` edge hangs for that many milliseconds, then fails as the driver does.
 */
export function breakableEdge(edge: EdgeDriver) {
  const requireAnswer = async () => {
    if (broken.frozen === null) return
    await new Promise((resolve) => setTimeout(resolve, broken.frozen!))
    throw new EdgeError('timeout', 'The edge did not answer in time.')
  }
  const broken = {
    ...edge,
    applied: 0,
    failure: null as { error: Error; when: 'before' | 'after' } | null,
    frozen: null as number | null,
    async sessions() {
      await requireAnswer()
      return edge.sessions()
    },
    async apply(state: Parameters<EdgeDriver['apply']>[0]) {
      await requireAnswer()
      const { failure } = broken
      if (failure?.when === 'before') throw failure.error
      broken.applied++
      const result = await edge.apply(state)
      if (failure) throw failure.error
      return result
    },
  }
  return broken
}
