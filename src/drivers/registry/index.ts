/**
 * Looks up the holder of a number by RDAP (RFC 9082, RFC 9083), through the IANA bootstrap (RFC 9224) or one fixed
 * base.
 */

import type { Prefix } from '../../kernel/prefix.ts'

export interface RegistryContact {
  readonly email: string
  /** RDAP roles: registrant, administrative, technical, abuse, … */
  readonly roles: readonly string[]
  /** Handle of the entity with this contact. */
  readonly source: string
}

/**
 * Returns whether a mailbox may prove control of the number. An abuse desk often belongs to an upstream or a hosting
 * company, and gets email from strangers all day. A contact without another role therefore proves nothing.
 */
export const provesNumber = ({ roles }: Pick<RegistryContact, 'roles'>): boolean =>
  roles.length === 0 || roles.some((role) => role.toLowerCase() !== 'abuse')

export interface AutnumRecord {
  readonly asn: number
  readonly handle: string
  /** The holder's name as the registry prints it, or null. */
  readonly holder: string | null
  /** Handles of the holders, from the response about the number itself; empty if the registry gives none. */
  readonly registrants: readonly string[]
  readonly contacts: readonly RegistryContact[]
  /** Why the contacts that may prove the number are unknown: the registry could not be read. */
  readonly contactsUnknown?: RegistryError
  /** Free text lines of the object, which may contain an ownership token. */
  readonly remarks: readonly string[]
  /** Null if the registry does not say. */
  readonly changedAt: Date | null
}

export interface Registry {
  /** Returns null if the registry says that it does not have this number. */
  autnum(asn: number, signal?: AbortSignal): Promise<AutnumRecord | null>
  close(): Promise<void>
}

/** A block of addresses: the smallest registration that contains the whole prefix. */
export interface NetworkRecord {
  /** The server that answered, after all redirects: handles are unique only within a registry. */
  readonly registry: string
  readonly handle: string
  readonly name: string | null
  /** The registry's own type of block: `ASSIGNED PA`, `DIRECT ALLOCATION`, `reallocated`. */
  readonly type: string | null
  /**
   * The status of the registration, in RDAP's words: `active`, `reserved`, `pending transfer` (RFC 9083 section 4.6).
   */
  readonly status: readonly string[]
  readonly registeredAt: Date | null
  readonly changedAt: Date | null
  /** The registry's own block, or one that it records for another registry. It has no holder, and proves nothing. */
  readonly isPlaceholder: boolean
  readonly holder: string | null
  /** Handles of the organizations that hold it, without maintainers and the registry itself. */
  readonly registrants: readonly string[]
  readonly contacts: readonly RegistryContact[]
  readonly remarks: readonly string[]
}

/** The holder of an AS number, in the same form as {@link NetworkRecord} for addresses. */
export interface AutnumHolder {
  readonly registry: string
  readonly registrants: readonly string[]
  readonly changedAt: Date | null
}

/** All methods throw {@link RegistryError} if they cannot tell, and return null if the registry has no such object. */
export interface SpaceRegistry {
  network(prefix: Prefix, signal?: AbortSignal): Promise<NetworkRecord | null>
  /**
   * Does the same, with the emails that the block's own response omits. Registries count these lookups, so call it only
   * for a person.
   */
  networkContacts(
    prefix: Prefix,
    signal?: AbortSignal,
  ): Promise<(NetworkRecord & Pick<AutnumRecord, 'contactsUnknown'>) | null>
  autnumHolder(asn: number, signal?: AbortSignal): Promise<AutnumHolder | null>
  /** Returns when a domain, or the domain above it, was registered. */
  domainRegisteredAt(domain: string, signal?: AbortSignal): Promise<Date | null>
}

export interface PeeringDbNetwork {
  readonly name: string
  readonly asn: number
  /** Bits: 1 read, 2 update, 4 create, 8 delete. */
  readonly perms: number
}

export interface PeeringDbProfile {
  readonly id: number
  /** PeeringDB checked that the user belongs to an organization. */
  readonly verifiedUser: boolean
  readonly verifiedEmail: boolean
  readonly networks: readonly PeeringDbNetwork[]
}

export interface PeeringDb {
  /** Returns the URL for the browser. Keep `verifier` until `identify`. */
  authorizeUrl(request: { state: string; verifier: string; redirectUri: string }): string
  /**
   * Returns the user for this code, or null if PeeringDB rejects it. Throws {@link RegistryError} if PeeringDB is
   * unreachable.
   */
  identify(
    answer: { code: string; verifier: string; redirectUri: string },
    signal?: AbortSignal,
  ): Promise<PeeringDbProfile | null>
}

export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly kind: 'unreachable' | 'timeout' | 'protocol' | 'no-service'
  /** Seconds, if it limits our requests. */
  readonly retryAfter: number | undefined
  constructor(kind: RegistryError['kind'], message: string, options: { cause?: unknown; retryAfter?: number } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.retryAfter = options.retryAfter
  }
}
