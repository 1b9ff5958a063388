/** The holder of a number by RDAP (RFC 9082, RFC 9083), found through the IANA bootstrap (RFC 9224) or one fixed base. */

import type { Prefix } from '../../kernel/prefix.ts'

export interface RegistryContact {
  readonly email: string
  /** RDAP roles: registrant, administrative, technical, abuse, … */
  readonly roles: readonly string[]
  /** Handle of the entity that carries it. */
  readonly source: string
}

/**
 * Whether a mailbox may speak for the number. An abuse desk is often the upstream's or a hoster's, and takes mail from
 * strangers all day: a contact without another role proves nothing.
 */
export const provesNumber = ({ roles }: Pick<RegistryContact, 'roles'>): boolean =>
  roles.length === 0 || roles.some((role) => role.toLowerCase() !== 'abuse')

export interface AutnumRecord {
  readonly asn: number
  readonly handle: string
  /** Name of the holder as the registry prints it; null when it does not. */
  readonly holder: string | null
  /** Handles of those who hold it, as the answer about the number itself says; empty where registries give none. */
  readonly registrants: readonly string[]
  readonly contacts: readonly RegistryContact[]
  /** Why none of the contacts that may prove the number is known: the registry was not able to say. */
  readonly contactsUnknown?: RegistryError
  /** Free text lines of the object, where an ownership token may stand. */
  readonly remarks: readonly string[]
  /** Null where the registry does not say. */
  readonly changedAt: Date | null
}

export interface Registry {
  /** Null when the registry says that it holds no such number. */
  autnum(asn: number, signal?: AbortSignal): Promise<AutnumRecord | null>
  close(): Promise<void>
}

/** A block of addresses: the smallest registration that holds the whole prefix. */
export interface NetworkRecord {
  /** The server that answered, after all redirects: handles are unique in one registry only. */
  readonly registry: string
  readonly handle: string
  readonly name: string | null
  /** The registry's own kind of block: `ASSIGNED PA`, `DIRECT ALLOCATION`, `reallocated`. */
  readonly type: string | null
  /** Of the registration, in RDAP's words: `active`, `reserved`, `pending transfer` (RFC 9083 section 4.6). */
  readonly status: readonly string[]
  readonly registeredAt: Date | null
  readonly changedAt: Date | null
  /** The registry's own block, or one that it keeps for another registry. It has no holder, and proves nothing. */
  readonly isPlaceholder: boolean
  readonly holder: string | null
  /** Handles of the organisations that hold it, without maintainers and the registry itself. */
  readonly registrants: readonly string[]
  readonly contacts: readonly RegistryContact[]
  readonly remarks: readonly string[]
}

/** Who holds an AS number, in the terms in which {@link NetworkRecord} says it of addresses. */
export interface AutnumHolder {
  readonly registry: string
  readonly registrants: readonly string[]
  readonly changedAt: Date | null
}

/** All throw {@link RegistryError} when they cannot tell, and are null when the registry says that there is nothing. */
export interface SpaceRegistry {
  network(prefix: Prefix, signal?: AbortSignal): Promise<NetworkRecord | null>
  /** The same with the emails that the block's own answer leaves out: registries count these look-ups, so for a person only. */
  networkContacts(
    prefix: Prefix,
    signal?: AbortSignal,
  ): Promise<(NetworkRecord & Pick<AutnumRecord, 'contactsUnknown'>) | null>
  autnumHolder(asn: number, signal?: AbortSignal): Promise<AutnumHolder | null>
  /** When a domain, or the domain that it is a part of, was registered. */
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
  /** PeeringDB checked that the person belongs to an organisation. */
  readonly verifiedUser: boolean
  readonly verifiedEmail: boolean
  readonly networks: readonly PeeringDbNetwork[]
}

export interface PeeringDb {
  /** The URL for the browser. Keep `verifier` until `identify`. */
  authorizeUrl(request: { state: string; verifier: string; redirectUri: string }): string
  /** The user for this code; null if PeeringDB rejects it. Throws {@link RegistryError} if PeeringDB is unreachable. */
  identify(
    answer: { code: string; verifier: string; redirectUri: string },
    signal?: AbortSignal,
  ): Promise<PeeringDbProfile | null>
}

export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly kind: 'unreachable' | 'timeout' | 'protocol' | 'no-service'
  /** Seconds, where it limits our requests. */
  readonly retryAfter: number | undefined
  constructor(kind: RegistryError['kind'], message: string, options: { cause?: unknown; retryAfter?: number } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.retryAfter = options.retryAfter
  }
}
