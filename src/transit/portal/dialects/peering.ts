/** The values that the configurations of the customer's end are written from. */
import { formatPrefix, parsePrefix, tryParsePrefix } from '../../../kernel/prefix.ts'
import type { TransitConnection, TransitPrefix } from '../../contract.ts'

export interface Peering {
  readonly customerAsn: number
  readonly operatorAsn: number
  /** An IPv4 address, the notation of BGP identifiers. */
  readonly routerId: string
  /** Sessions are signed with TCP MD5 (RFC 2385). Only the owner knows the password. */
  readonly signed: boolean
  readonly families: readonly PeeringFamily[]
}

export interface PeeringFamily {
  readonly family: 4 | 6
  readonly own: string
  readonly edge: string
  /** The edge runs BFD for this session. */
  readonly bfd: boolean
  /** The prefixes that the customer's own router originates. */
  readonly originated: readonly string[]
  /** All prefixes that may be exported: the originated ones, and those that the customer's customers announce. */
  readonly allowed: readonly string[]
}

/** A placeholder for the password, which the portal never shows again. */
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

/** An address inside a prefix as a host route, the form of a blackhole. */
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
