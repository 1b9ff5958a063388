/** Converts the answer of the address registry to evidence. Pure. */
import type { AutnumHolder, NetworkRecord } from '../../drivers/registry/index.ts'
import type { Evidence, Strength } from './evidence.ts'

const DAY_MS = 86_400_000
const HOLDER_VALID_MS = 90 * DAY_MS
/** A remark may be deleted by mistake, so its evidence expires this long after it was last seen. */
const REMARK_GRACE_MS = 30 * DAY_MS

interface When {
  readonly at: Date
  readonly nextCheckAt: Date
}

/**
 * The same organization holds the addresses and the verified ASN. Handles are unique only within a registry, so they
 * are compared only within one. Names are not evidence, because anybody may found a company of the same name.
 */
export function holderEvidence(network: NetworkRecord | null, autnum: AutnumHolder | null, when: When): Evidence[] {
  if (!network || !autnum || network.isPlaceholder || network.registry !== autnum.registry) return []
  const shared = network.registrants.find((handle) => autnum.registrants.includes(handle))
  if (shared === undefined) return []
  return [
    {
      kind: 'rdap_holder',
      source: network.registry,
      strength: 'medium',
      seen: `${shared}${network.holder ? ` (${network.holder})` : ''} holds both ${network.handle} and the ASN.`,
      observedAt: when.at,
      expiresAt: new Date(when.at.getTime() + HOLDER_VALID_MS),
      nextCheckAt: when.nextCheckAt,
    },
  ]
}

/** The token in the block's own remarks, which only its holder can write. Empty while it is missing. */
export function remarkEvidence(network: NetworkRecord | null, tokens: readonly string[], when: When): Evidence[] {
  if (!network || network.isPlaceholder || !tokens.some((token) => hasToken(network.remarks, token))) return []
  return [
    {
      kind: 'inetnum_remark',
      source: network.registry,
      strength: remarkStrength(network.type),
      seen: `The remarks of ${network.handle} have the token.`,
      observedAt: when.at,
      expiresAt: new Date(when.at.getTime() + REMARK_GRACE_MS),
      nextCheckAt: when.nextCheckAt,
    },
  ]
}

/** Matches the token as a separate word in any line. */
export const hasToken = (lines: readonly string[], token: string): boolean =>
  lines.some((line) =>
    line
      .toLowerCase()
      .split(/[\s,;]+/)
      .includes(token),
  )

/** An ISP can take back space that it assigned to a customer, and its maintainer often writes the object too. */
const remarkStrength = (type: string | null): Strength =>
  type !== null && /^(?:ALLOCATED|ASSIGNED PI|ASSIGNED PORTABLE|ASSIGNED ANYCAST|LEGACY|DIRECT|assigned$)/i.test(type)
    ? 'strong'
    : 'medium'

/** The holder changed if it shares no handle with the one before. Without handles to compare, it did not change. */
export const changedHands = (before: readonly string[], after: readonly string[]): boolean =>
  before.length > 0 && after.length > 0 && !before.some((handle) => after.includes(handle))
