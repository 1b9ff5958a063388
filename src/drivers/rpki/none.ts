import type { RpkiSource } from './index.ts'

/** No source of VRPs: every answer is UNKNOWN, and the report says why. */
export function noRpki(reason: string): RpkiSource {
  return {
    validate: () => ({ status: 'UNKNOWN', reason: null, vrps: [], asOf: null }),
    verdict: () => ({ status: 'UNKNOWN', reason: null }),
    aspa: () => ({ status: 'UNKNOWN' }),
    report: () => ({ source: 'none', state: 'starting', count: 0, asOf: null, error: reason }),
    onChange: () => () => undefined,
    close: () => Promise.resolve(),
  }
}
