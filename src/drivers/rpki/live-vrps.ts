import type { Clock } from '../../kernel/clock.ts'
import type { AspaTable } from './aspa-table.ts'
import type { RpkiSource, RpkiStatusReport } from './index.ts'
import type { VrpIndex } from './vrp-index.ts'

/** One complete state of the data, and how long it is valid. */
export interface VrpEdition {
  readonly index: VrpIndex
  /** Null if the source has no ASPA objects: that says nothing about any ASN. */
  readonly aspas: AspaTable | null
  readonly asOf: Date
  readonly staleAt: Date
  readonly expiresAt: Date
}

/** The common part of all sources: the current data, its age, and listeners for changes. */
export interface LiveVrps extends Omit<RpkiSource, 'close'> {
  /** Puts new, complete data into use. */
  publish(edition: VrpEdition): void
  /** Records why there is no new data; the current data stays in use until it expires. */
  fail(reason: string): void
  /** Drops the data at once. */
  flush(reason: string): void
  stop(): void
}

export function createLiveVrps(source: string, clock: Clock): LiveVrps {
  const listeners = new Set<() => void>()
  let edition: VrpEdition | null = null
  let error: string | null = null
  let expiry: NodeJS.Timeout | undefined

  const changed = () => {
    for (const listener of listeners) listener()
  }
  const state = (): RpkiStatusReport['state'] => {
    if (!edition) return 'starting'
    const now = clock.now()
    if (now >= edition.expiresAt) return 'expired'
    return now >= edition.staleAt ? 'stale' : 'current'
  }
  return {
    validate(prefix, origin) {
      // Expired data is no evidence at all: a VALID from it may be a hijack's, an INVALID a repaired ROA's.
      if (!edition || state() === 'expired')
        return { status: 'UNKNOWN', reason: null, vrps: [], asOf: edition?.asOf ?? null }
      return { ...edition.index.validate(prefix, origin), asOf: edition.asOf }
    },
    verdict: (prefix, origin) =>
      !edition || state() === 'expired' ? { status: 'UNKNOWN', reason: null } : edition.index.verdict(prefix, origin),
    aspa(customerAsn) {
      if (!edition?.aspas || state() === 'expired') return { status: 'UNKNOWN' }
      const providers = edition.aspas.get(customerAsn)
      return providers ? { status: 'PROVIDERS', providers, asOf: edition.asOf } : { status: 'NONE', asOf: edition.asOf }
    },
    report: () => ({ source, state: state(), count: edition?.index.count ?? 0, asOf: edition?.asOf ?? null, error }),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    publish(next) {
      edition = next
      error = null
      clearTimeout(expiry)
      expiry = setTimeout(changed, Math.max(0, next.expiresAt.getTime() - clock.now().getTime())).unref()
      changed()
    },
    fail(reason) {
      error = reason
    },
    flush(reason) {
      edition = null
      error = reason
      clearTimeout(expiry)
      changed()
    },
    stop() {
      clearTimeout(expiry)
      listeners.clear()
    },
  }
}
