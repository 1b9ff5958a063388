/** Decides whether an AS-SET is the customer's: pure. */
import {
  isAsSetName,
  isAuthoritative,
  splitAsSetName,
  type AsSetObject,
  type AutNumObject,
} from '../../drivers/irr/index.ts'
import { formatAsn } from '../../kernel/asn.ts'

export interface SetOwnership {
  readonly status: 'OWN' | 'NOT_OWN' | 'UNKNOWN'
  /**
   * `HIERARCHICAL`: the name begins with the ASN, in a registry that gives such names only to its holder. `MAINTAINER`:
   * the set and the aut-num share a maintainer. `PEERINGDB`: the network names the set there.
   */
  readonly how: 'HIERARCHICAL' | 'MAINTAINER' | 'PEERINGDB' | null
}

/** An AS-SET as the registries had it at the last check. */
export interface FoundAsSet {
  readonly source: string
  readonly maintainers: readonly string[]
  readonly ownership: SetOwnership['status']
  readonly how: SetOwnership['how']
  /** Private and reserved ASNs in the set; at most 20. */
  readonly reserved: readonly number[]
  /** How many members are in the set only through registries that accept objects from anybody. */
  readonly weakMembers: number
}

export interface OwnershipQuestion {
  readonly customerAsn: number
  readonly set: AsSetObject
  /** The aut-num objects of the customer's ASN; null when registries were not queried or did not answer. */
  readonly autNums: readonly AutNumObject[] | null
  /** Names of sets that PeeringDB lists for the network; null likewise. */
  readonly peeringDb: readonly string[] | null
  /** Maintainers that hosting providers use for many customers. Having one in common proves nothing. */
  readonly sharedMaintainers: readonly string[]
}

export function judgeOwnership(question: OwnershipQuestion): SetOwnership {
  const { customerAsn, set, autNums, peeringDb, sharedMaintainers } = question
  const own = (how: NonNullable<SetOwnership['how']>): SetOwnership => ({ status: 'OWN', how })
  // In other sources a stranger can create a set below anybody's ASN and list any maintainer on it.
  if (isAuthoritative(set.source)) {
    // Only the first element decides: AS-FOO:AS500010:AS-X belongs to the holder of AS-FOO (RFC 2725 section 9.6).
    if (set.name.split(':')[0] === formatAsn(customerAsn)) return own('HIERARCHICAL')
    const keys = (autNums ?? [])
      .filter((autNum) => autNum.asn === customerAsn && autNum.source === set.source)
      .flatMap((autNum) => autNum.maintainers)
      .filter((maintainer) => !isRegistryMaintainer(maintainer) && !sharedMaintainers.includes(maintainer))
    if (set.maintainers.some((maintainer) => keys.includes(maintainer))) return own('MAINTAINER')
  }
  if ((peeringDb ?? []).some((text) => isNamed(text, set))) return own('PEERINGDB')
  return { status: autNums === null || peeringDb === null ? 'UNKNOWN' : 'NOT_OWN', how: null }
}

/** A name without a registry matches only an authoritative source, because a stranger can take the same name in another. */
function isNamed(text: string, set: AsSetObject): boolean {
  const { source, name } = splitAsSetName(text)
  return name === set.name && (source === null ? isAuthoritative(set.source) : source === set.source)
}

/** Maintainers that the registries add beside the holder's own on thousands of objects. */
const isRegistryMaintainer = (maintainer: string): boolean =>
  /^(?:RIPE-NCC-|RIPE-DBM-MNT$|RIPE-ERX-|APNIC-HM$|MAINT-APNIC-AP$|AFRINIC-HM-MNT$|ARIN-|LACNIC-HM|IANA-|RS-HM-MNT$)/.test(
    maintainer,
  )

/** Reads names from PeeringDB's free text: `RIPE::AS-X`, `AS-X@RIPE`, several separated by comma, space or slash. Skips other words. */
export const readPeeringDbNames = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[\s,;/&|]+/)
    .map((word) => word.replace(/^IPV[46]:(?=AS)/, '').replace(/^([^@]+)@([A-Z][A-Z0-9-]*)$/, '$2::$1'))
    .filter(isAsSetName)
