/**
 * Asks the registry while a user waits: one query at a time per ASN, a timeout of five seconds, and a cache of ten
 * minutes.
 */
import { RegistryError, type AutnumRecord, type Registry } from '../../drivers/registry/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { unavailable } from '../../kernel/problem.ts'
import type { Log } from '../../platform/log.ts'

const DEADLINE_MS = 5_000
const REMEMBER_MS = 10 * 60_000
const MAX_REMEMBERED = 500

export type FetchAutnum = (asn: number) => Promise<AutnumRecord | null>

/**
 * Returns null if the registry says that the ASN is not allocated. Throws 503 if it is unavailable: absence is never
 * guessed.
 */
export function createAutnumLookup(deps: { registry: Registry; clock: Clock; log: Log }): FetchAutnum {
  const remembered = new Map<number, { at: number; record: Promise<AutnumRecord | null> }>()
  return (asn) => {
    const now = deps.clock.now().getTime()
    const known = remembered.get(asn)
    if (known && now - known.at < REMEMBER_MS) return known.record
    const record = ask(deps, asn)
    remembered.delete(asn)
    remembered.set(asn, { at: now, record })
    for (const oldest of remembered.keys()) {
      if (remembered.size <= MAX_REMEMBERED) break
      remembered.delete(oldest)
    }
    record.catch(() => {
      if (remembered.get(asn)?.record === record) remembered.delete(asn)
    })
    return record
  }
}

async function ask({ registry, log }: { registry: Registry; log: Log }, asn: number): Promise<AutnumRecord | null> {
  try {
    const record = await registry.autnum(asn, AbortSignal.timeout(DEADLINE_MS))
    if (record?.contactsUnknown) throw record.contactsUnknown
    return record
  } catch (error) {
    log.warn({ err: error, asn }, 'the registry did not answer')
    const wait = error instanceof RegistryError ? error.retryAfter : undefined
    throw wait === undefined
      ? unavailable(
          'The registry does not answer at the moment, so its contacts are unknown. Try again soon.',
          30,
          error,
        )
      : unavailable(
          `The registry limits our requests, so its contacts are unknown. Try again in ${wait} seconds.`,
          wait,
          error,
        )
  }
}
