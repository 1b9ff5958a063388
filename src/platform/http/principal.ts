/** Who makes a request, as `accounts` tells it to the border. */
export interface Principal {
  readonly userId: number
  readonly email: string
  readonly isAdmin: boolean
  readonly asnVerifiedAt: Date | null
  /** `session`: a cookie, so unsafe calls need the CSRF header. `token`: a bearer token, which never rides along by itself. */
  readonly via: 'session' | 'token'
  readonly sessionId: number | null
}

export interface Credentials {
  readonly sessionToken: string | null
  readonly bearer: string | null
  readonly ip: string
}

/** Null for anyone unknown; a wrong or expired secret is the same as none. */
export type Authenticate = (credentials: Credentials) => Promise<Principal | null>
