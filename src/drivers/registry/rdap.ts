/** Who holds an AS number, over RDAP (RFC 9082, RFC 9083). */
import { systemClock, type Clock } from '../../kernel/clock.ts'
import { assembleRecord, readAutnum, readEntity, type Entity } from './autnum-record.ts'
import { createBootstrap } from './bootstrap.ts'
import { fetchJson, type FetchRules } from './fetch-json.ts'
import { RegistryError, type Registry } from './index.ts'

export interface RdapOptions {
  /** One server for all numbers, for example of a laboratory. Without it the bootstrap names the server. */
  readonly base?: string
  /** IANA's list of servers, or a copy of it. */
  readonly bootstrap?: string
  /** For one number, all its contacts included. */
  readonly deadlineMs?: number
  readonly clock?: Clock
}

const IANA = 'https://data.iana.org/rdap/asn.json'
const MAX_LOOKUPS = 12

export function createRdap(options: RdapOptions = {}): Registry {
  const { base, bootstrap: list = IANA, deadlineMs = 20_000, clock = systemClock } = options
  const trustedOrigin = new URL(base ?? list).origin
  const closing = new AbortController()
  const bootstrap = createBootstrap(async (signal) => {
    const { status, body } = await fetchJson(list, { trustedOrigin, signal })
    if (status !== 200) throw new RegistryError('unreachable', `The list of registries answered ${status}.`)
    return body
  }, clock)

  return {
    async autnum(asn, caller) {
      const deadline = AbortSignal.timeout(deadlineMs)
      const signal = AbortSignal.any([deadline, closing.signal, ...(caller ? [caller] : [])])
      try {
        const server = base === undefined ? await bootstrap.baseOf(asn, signal) : withSlash(base)
        if (server === null) throw new RegistryError('no-service', `No registry offers a look-up for AS${asn}.`)
        return await lookUp(server, asn, { trustedOrigin, signal })
      } catch (error) {
        caller?.throwIfAborted()
        if (deadline.aborted)
          throw new RegistryError('timeout', `The registry took longer than ${deadlineMs / 1000} s.`, { cause: error })
        throw error
      }
    },
    close: () => Promise.resolve(closing.abort()),
  }
}

async function lookUp(server: string, asn: number, rules: FetchRules) {
  const document = await ask(`${server}autnum/${asn}`, rules)
  if (document === null) return null
  const autnum = readAutnum(document, asn)
  return assembleRecord(asn, autnum, await fillIn(server, autnum.entities, rules))
}

/**
 * Asks for each entity that is only a handle. One that cannot be had is one contact less; only when that leaves none at
 * all is it a failure, so that an outage does not read as "this number has no contacts".
 */
async function fillIn(server: string, entities: readonly Entity[], rules: FetchRules): Promise<Entity[]> {
  const handles = [...new Set(entities.filter((entity) => entity.isBare).map((entity) => entity.handle))]
  const failures: unknown[] = []
  const asked = handles.slice(0, MAX_LOOKUPS).map(async (handle): Promise<[string, Entity | null]> => {
    try {
      return [handle, readEntity(await ask(`${server}entity/${encodeURIComponent(handle)}`, rules))]
    } catch (error) {
      failures.push(error)
      return [handle, null]
    }
  })
  const found = new Map(await Promise.all(asked))
  const filled = entities.map((entity) => {
    const full = entity.isBare ? found.get(entity.handle) : null
    // The roles are those towards this number; whatever the entity says of itself else stands in its own answer.
    return full ? { ...full, handle: entity.handle, roles: entity.roles } : entity
  })
  if (failures.length > 0 && filled.every((entity) => entity.emails.length === 0)) throw failures[0]
  return filled
}

/** The document; null when the registry says that there is none. */
async function ask(address: string, rules: FetchRules): Promise<unknown> {
  const { status, body } = await fetchJson(address, rules)
  if (status === 200) return body
  if (status === 404) return null
  const { host } = new URL(address)
  if (status === 429) throw new RegistryError('unreachable', `${host} asks us to slow down: try again in some minutes.`)
  throw new RegistryError(status >= 500 ? 'unreachable' : 'protocol', `${host} answered ${status}.`)
}

const withSlash = (base: string): string => (base.endsWith('/') ? base : `${base}/`)
