/** Whether an AS-SET is the customer's: pure. */
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
   * `HIERARCHICAL`: the name begins with the ASN, in a registry that gives such names to its holder alone. `MAINTAINER`: one
   * maintainer has both the set and the aut-num. `PEERINGDB`: the network names the set there.
   */
  readonly how: 'HIERARCHICAL' | 'MAINTAINER' | 'PEERINGDB' | null
}

/** An AS-SET as the registries had it at the last look. */
export interface FoundAsSet {
  readonly source: string
  readonly maintainers: readonly string[]
  readonly ownership: SetOwnership['status']
  readonly how: SetOwnership['how']
  /** Private and reserved ASNs that it lists; at most 20. */
  readonly reserved: readonly number[]
  /** How many members are in it only through registries that anybody may write to. */
  readonly weakMembers: number
}

export interface OwnershipQuestion {
  readonly customerAsn: number
  readonly set: AsSetObject
  /** What registries have of the customer's ASN; null when they were not asked or did not answer. */
  readonly autNums: readonly AutNumObject[] | null
  /** Names of sets that the network has in PeeringDB; null likewise. */
  readonly peeringDb: readonly string[] | null
  /** Maintainers that hosters use for many customers: having one in common proves nothing. */
  readonly sharedMaintainers: readonly string[]
}

export function judgeOwnership(question: OwnershipQuestion): SetOwnership {
  const { customerAsn, set, autNums, peeringDb, sharedMaintainers } = question
  const own = (how: NonNullable<SetOwnership['how']>): SetOwnership => ({ status: 'OWN', how })
  // Elsewhere a stranger can make a set below anybody's ASN, and have any maintainer's name on it.
  if (isAuthoritative(set.source)) {
    // The first element alone decides: AS-FOO:AS500010:AS-X is of whoever has AS-FOO (RFC 2725 section 9.6).
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

/** A name without a registry is of an authoritative one: a stranger can take the same name in another. */
function isNamed(text: string, set: AsSetObject): boolean {
  const { source, name } = splitAsSetName(text)
  return name === set.name && (source === null ? isAuthoritative(set.source) : source === set.source)
}

/** Maintainers that the registries put beside the holder's own on thousands of objects. */
const isRegistryMaintainer = (maintainer: string): boolean =>
  /^(?:RIPE-NCC-|RIPE-DBM-MNT$|RIPE-ERX-|APNIC-HM$|MAINT-APNIC-AP$|AFRINIC-HM-MNT$|ARIN-|LACNIC-HM|IANA-|RS-HM-MNT$)/.test(
    maintainer,
  )

/** The names in PeeringDB's free text: `RIPE::AS-X`, `AS-X@RIPE`, several by comma, blank or slash. What is no name is left out. */
export const readPeeringDbNames = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[\s,;/&|]+/)
    .map((word) => word.replace(/^IPV[46]:(?=AS)/, '').replace(/^([^@]+)@([A-Z][A-Z0-9-]*)$/, '$2::$1'))
    .filter(isAsSetName)
