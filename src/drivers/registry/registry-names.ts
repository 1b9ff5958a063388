/** Finds the registry of an ASN by its RDAP server in IANA's bootstrap (RFC 9224). */
import { systemClock, type Clock } from '../../kernel/clock.ts'
import { createBootstrap } from './bootstrap.ts'
import { fetchJson } from './fetch-json.ts'
import { RegistryError } from './index.ts'

export type RegistryName = 'AFRINIC' | 'APNIC' | 'ARIN' | 'LACNIC' | 'RIPE'

export interface RegistryNames {
  /** Returns the registry if the list is loaded; otherwise null, and the list starts to load. */
  known(asn: number): RegistryName | null
  /** Returns null if no registry has the ASN, or the list cannot be read in time. */
  find(asn: number): Promise<RegistryName | null>
}

const IANA = 'https://data.iana.org/rdap/asn.json'
const DEADLINE_MS = 4_000
const RETRY_MS = 60_000
const MAX_KNOWN = 10_000

const NAMES: readonly (readonly [domain: string, name: RegistryName])[] = [
  ['ripe.net', 'RIPE'],
  ['arin.net', 'ARIN'],
  ['apnic.net', 'APNIC'],
  ['afrinic.net', 'AFRINIC'],
  ['lacnic.net', 'LACNIC'],
  ['registro.br', 'LACNIC'],
]

export function createRegistryNames({
  list = IANA,
  clock = systemClock,
}: { list?: string; clock?: Clock } = {}): RegistryNames {
  const trustedOrigin = new URL(list).origin
  const names = new Map<number, RegistryName | null>()
  let pausedUntil = 0
  const bootstrap = createBootstrap(async (signal) => {
    const { status, body } = await fetchJson(list, { trustedOrigin, signal })
    if (status !== 200) throw new RegistryError('unreachable', `The list of registries answered ${status}.`)
    return body
  }, clock)

  async function find(asn: number): Promise<RegistryName | null> {
    const before = names.get(asn)
    if (before !== undefined) return before
    if (clock.now().getTime() < pausedUntil) return null
    try {
      const base = await bootstrap.baseOf(asn, AbortSignal.timeout(DEADLINE_MS))
      if (names.size >= MAX_KNOWN) names.clear()
      names.set(asn, base === null ? null : nameOf(new URL(base).hostname))
    } catch {
      // Only the text of a suggestion depends on it; the next request tries again.
      pausedUntil = clock.now().getTime() + RETRY_MS
    }
    return names.get(asn) ?? null
  }
  return {
    find,
    known(asn) {
      void find(asn)
      return names.get(asn) ?? null
    },
  }
}

const nameOf = (host: string): RegistryName | null =>
  NAMES.find(([domain]) => host === domain || host.endsWith(`.${domain}`))?.[1] ?? null
