/** What a configuration for the customer's end is written from. */
import { formatPrefix, parsePrefix, tryParsePrefix } from '../../../kernel/prefix.ts'
import type { TransitConnection, TransitPrefix } from '../../contract.ts'

export interface Peering {
  readonly customerAsn: number
  readonly operatorAsn: number
  /** An IPv4 address, as BGP identifiers are written. */
  readonly routerId: string
  /** Sessions are signed with TCP MD5 (RFC 2385); the password is known to its owner alone. */
  readonly signed: boolean
  readonly families: readonly PeeringFamily[]
}

export interface PeeringFamily {
  readonly family: 4 | 6
  readonly own: string
  readonly edge: string
  /** The edge runs BFD for this session. */
  readonly bfd: boolean
  /** Originated by the customer's own router. */
  readonly originated: readonly string[]
  /** All that may leave: what is originated, and what customers of the customer announce. */
  readonly allowed: readonly string[]
}

/** Stands for the password, which the portal never shows again. */
export const PASSWORD_PLACEHOLDER = 'YOUR-BGP-PASSWORD'

/** Null while there is no session to configure. */
export function readPeering(connection: TransitConnection, prefixes: readonly TransitPrefix[]): Peering | null {
  const [first] = connection.sessions
  if (!first) return null
  const approved = prefixes.filter((prefix) => prefix.status === 'APPROVED')
  const values = (family: 4 | 6, types: readonly TransitPrefix['announcementType'][]) =>
    approved
      .filter((prefix) => types.includes(prefix.announcementType) && tryParsePrefix(prefix.value)?.family === family)
      .map((prefix) => prefix.value)
      .toSorted()
  return {
    customerAsn: first.peerAsn,
    operatorAsn: first.localAsn,
    routerId: connection.sessions.find((session) => session.family === 4)?.peerAddress ?? '0.0.0.1',
    signed: connection.hasPassword,
    families: connection.sessions.map((session) => ({
      family: session.family,
      own: session.peerAddress,
      edge: session.localAddress,
      bfd: session.bfd.enabled,
      originated: values(session.family, ['ORIGIN']),
      allowed: values(session.family, ['ORIGIN', 'DOWNSTREAM']),
    })),
  }
}

/** An address inside a prefix, as the host route that a blackhole is. */
export function exampleHost(prefix: string): string {
  const { family, network } = parsePrefix(prefix)
  const value = network + 7n
  return formatPrefix({ family, network: value, length: family === 4 ? 32 : 128 })
}

export const lines = (...parts: readonly (string | false | readonly string[])[]): string =>
  parts
    .flat()
    .filter((part) => part !== false)
    .join('\n')
