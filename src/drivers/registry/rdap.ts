/** Looks up the holder of an AS number by RDAP (RFC 9082, RFC 9083). */
import { formatAsn } from '../../kernel/asn.ts'
import { systemClock, type Clock } from '../../kernel/clock.ts'
import { formatPrefix, type Prefix } from '../../kernel/prefix.ts'
import { assembleRecord, contactsOf, readAutnum, readEntity, type Entity } from './autnum-record.ts'
import { createBootstrap, createDomainBootstrap, createPrefixBootstrap, type Bootstrap } from './bootstrap.ts'
import { fetchJson, type FetchRules } from './fetch-json.ts'
import { entitiesOfNetwork, holderHandles, readDates, readNetwork } from './network-record.ts'
import { provesNumber, RegistryError, type Registry, type SpaceRegistry } from './index.ts'

export interface RdapOptions {
  /** One server for all numbers, for example in a lab. Without it the bootstrap names the server. */
  readonly base?: string
  /** IANA's list of servers, or a copy of it. */
  readonly bootstrap?: string
  /** The time limit for one number, including all its contacts. */
  readonly deadlineMs?: number
  readonly clock?: Clock
}

const IANA = 'https://data.iana.org/rdap/asn.json'
const MAX_LOOKUPS = 12

export function createRdap(options: RdapOptions = {}): Registry & SpaceRegistry {
  const { base, bootstrap: list = IANA, deadlineMs = 20_000, clock = systemClock } = options
  const trustedOrigin = new URL(base ?? list).origin
  const closing = new AbortController()
  const pauses = new Map<string, number>()
  /** IANA keeps all of its lists in one folder. */
  const load = (file: string) => async (signal: AbortSignal) => {
    const { status, body } = await fetchJson(new URL(file, list).href, { trustedOrigin, signal })
    if (status !== 200) throw new RegistryError('unreachable', `The list of registries answered ${status}.`)
    return body
  }
  const numbers = createBootstrap(load(list), clock)
  const blocks = {
    4: createPrefixBootstrap(load('ipv4.json'), clock),
    6: createPrefixBootstrap(load('ipv6.json'), clock),
  }
  const domains = createDomainBootstrap(load('dns.json'), clock)

  /** Finds the server for the subject and queries it, within one deadline. */
  async function within<Subject, Found>(
    bootstrap: Bootstrap<Subject>,
    [subject, name]: readonly [Subject, string],
    caller: AbortSignal | undefined,
    look: (server: string, asking: Asking) => Promise<Found>,
  ): Promise<Found> {
    const deadline = AbortSignal.timeout(deadlineMs)
    const signal = AbortSignal.any([deadline, closing.signal, ...(caller ? [caller] : [])])
    try {
      const server = base === undefined ? await bootstrap.baseOf(subject, signal) : withSlash(base)
      if (server === null) throw new RegistryError('no-service', `No registry offers a look-up for ${name}.`)
      return await look(server, { trustedOrigin, signal, clock, pauses })
    } catch (error) {
      caller?.throwIfAborted()
      if (deadline.aborted)
        throw new RegistryError('timeout', `The registry took longer than ${deadlineMs / 1000} s.`, { cause: error })
      throw error
    }
  }

  return {
    autnum: (asn, caller) =>
      within(numbers, [asn, formatAsn(asn)], caller, (server, asking) => lookUp(server, asn, asking)),
    network: (prefix, caller) =>
      within(blocks[prefix.family], [prefix, formatPrefix(prefix)], caller, (server, asking) =>
        lookUpNetwork(server, prefix, asking),
      ),
    networkContacts: (prefix, caller) =>
      within(blocks[prefix.family], [prefix, formatPrefix(prefix)], caller, (server, asking) =>
        lookUpContacts(server, prefix, asking),
      ),
    autnumHolder: (asn, caller) =>
      within(numbers, [asn, formatAsn(asn)], caller, async (server, asking) => {
        const answer = await ask(`${server}autnum/${asn}`, asking)
        if (answer === null) return null
        const registrants = holderHandles(readAutnum(answer.body, asn).entities)
        return { registry: answer.url.host, registrants, changedAt: readDates(answer.body).changedAt }
      }),
    domainRegisteredAt: (domain, caller) =>
      within(domains, [domain, domain], caller, (server, asking) => lookUpDomain(server, domain, asking)),
    close: () => Promise.resolve(closing.abort()),
  }
}

/** Requests no entities: registries count those lookups, and the block's own response names its holder. */
async function lookUpNetwork(server: string, prefix: Prefix, asking: Asking) {
  const answer = await ask(`${server}ip/${formatPrefix(prefix)}`, asking)
  return answer === null ? null : readNetwork(answer.body, prefix, answer.url.host)
}

async function lookUpContacts(server: string, prefix: Prefix, asking: Asking) {
  const path = `ip/${formatPrefix(prefix)}`
  const answer = await ask(`${server}${path}`, asking)
  if (answer === null) return null
  const network = readNetwork(answer.body, prefix, answer.url.host)
  if (network.isPlaceholder) return network
  const { entities, contactsUnknown } = await fillIn(
    homeOf(answer.url, path) ?? server,
    entitiesOfNetwork(answer.body),
    asking,
  )
  return { ...network, contacts: contactsOf(entities), ...(contactsUnknown && { contactsUnknown }) }
}

/** A mailbox is often in a subdomain: try one label less as long as two are left. */
async function lookUpDomain(server: string, domain: string, asking: Asking): Promise<Date | null> {
  const labels = domain.toLowerCase().split('.')
  for (let skip = Math.max(0, labels.length - 4); labels.length - skip >= 2; skip++) {
    const answer = await ask(`${server}domain/${encodeURIComponent(labels.slice(skip).join('.'))}`, asking)
    if (answer !== null) return readDates(answer.body).registeredAt
  }
  return null
}

interface Asking extends FetchRules {
  readonly clock: Clock
  /** For each host, the time until which it asked for no requests. */
  readonly pauses: Map<string, number>
}

async function lookUp(server: string, asn: number, asking: Asking) {
  const answer = await ask(`${server}autnum/${asn}`, asking)
  if (answer === null) return null
  const autnum = readAutnum(answer.body, asn)
  const base = homeOf(answer.url, `autnum/${asn}`) ?? server
  const { entities, contactsUnknown } = await fillIn(base, autnum.entities, asking)
  const { changedAt } = readDates(answer.body)
  return { ...assembleRecord(asn, autnum, entities), changedAt, ...(contactsUnknown && { contactsUnknown }) }
}

/**
 * A registry redirects to the one that has the object. Its entities are there too, and handles are unique only within a
 * registry.
 */
function homeOf(url: URL, path: string): string | null {
  const home = new URL(url)
  home.search = ''
  return home.href.endsWith(path) ? home.href.slice(0, -path.length) : null
}

/**
 * Requests the entities that have no email in the response about the number: RIPE NCC omits it for all but the abuse
 * contact. A failed request means one contact less. Only if no contact is left that proves the number are the contacts
 * unknown, so that an outage does not look like "this number has no contacts". Requests run one at a time, because
 * registries count them.
 */
async function fillIn(
  server: string,
  entities: readonly Entity[],
  asking: Asking,
): Promise<{ entities: Entity[]; contactsUnknown: RegistryError | undefined }> {
  const found = new Map<string, Entity>()
  for (const entity of entities) if (entity.handle && entity.emails.length > 0) found.set(entity.handle, entity)
  const lacking = entities.filter((entity) => entity.handle !== '' && !found.has(entity.handle) && provesNumber(entity))
  let failure: RegistryError | undefined
  for (const handle of [...new Set(lacking.map((entity) => entity.handle))].slice(0, MAX_LOOKUPS)) {
    try {
      const full = readEntity((await ask(`${server}entity/${encodeURIComponent(handle)}`, asking))?.body)
      if (full) found.set(handle, full)
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      failure ??= error
      if (error.retryAfter !== undefined) break
    }
  }
  const filled = entities.map((entity) => {
    const full = entity.emails.length === 0 ? found.get(entity.handle) : undefined
    // Keep the roles for this number; the entity's other data comes from its own response.
    return full ? { ...full, handle: entity.handle, roles: entity.roles, name: full.name ?? entity.name } : entity
  })
  const isProvable = filled.some((entity) => entity.emails.length > 0 && provesNumber(entity))
  return { entities: filled, contactsUnknown: isProvable ? undefined : failure }
}

/** Returns the document, or null if the registry says that there is none. */
async function ask(address: string, asking: Asking): Promise<{ body: unknown; url: URL } | null> {
  const { host } = new URL(address)
  const wait = (asking.pauses.get(host) ?? 0) - asking.clock.now().getTime()
  if (wait > 0) throw limited(host, Math.ceil(wait / 1000))
  const { status, body, url, retryAfter } = await fetchJson(address, asking)
  const code = status === 200 ? (errorCode(body) ?? 200) : status
  if (code === 200) return { body, url }
  if (code === 404) return null
  if (code === 429) {
    const seconds = pauseOf(retryAfter, asking.clock.now())
    for (const one of new Set([host, url.host])) asking.pauses.set(one, asking.clock.now().getTime() + seconds * 1000)
    throw limited(url.host, seconds)
  }
  throw new RegistryError(code >= 500 ? 'unreachable' : 'protocol', `${url.host} answered ${code}.`)
}

const limited = (host: string, retryAfter: number): RegistryError =>
  new RegistryError('unreachable', `${host} limits our requests: it can be asked again in ${retryAfter} s.`, {
    retryAfter,
  })

/** LACNIC reports an error in a body with status 200 (RFC 9083 section 6). */
function errorCode(body: unknown): number | undefined {
  const code: unknown = typeof body === 'object' && body !== null && 'errorCode' in body ? body.errorCode : undefined
  return typeof code === 'number' ? code : undefined
}

const UNSTATED_PAUSE_S = 60
const LONGEST_PAUSE_S = 3600

/** Converts a Retry-After, a number or a date, to seconds. */
function pauseOf(text: string | undefined, now: Date): number {
  const seconds = /^\d{1,9}$/.test(text ?? '') ? Number(text) : (Date.parse(text ?? '') - now.getTime()) / 1000
  return Math.min(LONGEST_PAUSE_S, Math.max(1, Math.ceil(seconds || UNSTATED_PAUSE_S)))
}

const withSlash = (base: string): string => (base.endsWith('/') ? base : `${base}/`)
