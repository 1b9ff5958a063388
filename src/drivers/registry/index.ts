/** Who holds a number: RDAP (RFC 9082, RFC 9083), found through the IANA bootstrap (RFC 9224) or one fixed base. */

export interface RegistryContact {
  readonly email: string
  /** RDAP roles: registrant, administrative, technical, abuse, … */
  readonly roles: readonly string[]
  /** Handle of the entity that carries it. */
  readonly source: string
}

export interface AutnumRecord {
  readonly asn: number
  readonly handle: string
  /** Name of the holder as the registry prints it; null when it does not. */
  readonly holder: string | null
  /** Handles of those who hold it, as the answer about the number itself says; empty where registries give none. */
  readonly registrants: readonly string[]
  readonly contacts: readonly RegistryContact[]
  /** Free text lines of the object, where an ownership token may stand. */
  readonly remarks: readonly string[]
}

export interface Registry {
  /** Null when the registry says that it holds no such number. */
  autnum(asn: number, signal?: AbortSignal): Promise<AutnumRecord | null>
  close(): Promise<void>
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
  /** Where the browser goes to. `verifier` is ours to keep until `identify`. */
  authorizeUrl(request: { state: string; verifier: string; redirectUri: string }): string
  /** Who came back with this code; null when PeeringDB does not take it. Throws {@link RegistryError} when it is away. */
  identify(
    answer: { code: string; verifier: string; redirectUri: string },
    signal?: AbortSignal,
  ): Promise<PeeringDbProfile | null>
}

export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly kind: 'unreachable' | 'timeout' | 'protocol' | 'no-service'
  constructor(kind: RegistryError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
  }
}
