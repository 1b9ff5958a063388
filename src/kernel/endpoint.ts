/**
 * Describes an endpoint of the REST API once, in a slice's `contract.ts`. The server parses requests with it, the
 * OpenAPI document is generated from it, and the browser uses its types.
 */
import type { z } from 'zod'
import type { RequiredRole } from './required-role.ts'

/**
 * The access that an endpoint needs. `verified` is a session whose user has a verified ASN; other sessions get 403
 * `asn_unverified`. `admin` returns 403 to everyone but staff. Ownership is never decided here, only in the query that
 * finds the row.
 */
export type Access = 'public' | 'session' | 'verified' | 'admin'

export type ImpersonationRule = 'never' | 'always'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type EndpointKey = `${Method} /${string}`

export interface Endpoint {
  /** One line for the OpenAPI document. */
  readonly summary: string
  readonly access: Access
  /** For `admin`: callers without this role get 403 `insufficient_role`. If absent, all staff may call it. */
  readonly requiredRole?: RequiredRole
  /**
   * For staff who impersonate a customer. By default they may read, and change things after they elevate. `never`: not
   * even when elevated. `always`: without elevating.
   */
  readonly impersonation?: ImpersonationRule
  /**
   * The audit-log text that the customer sees after `Support`, for endpoints where staff may change something for a
   * customer.
   */
  readonly auditMessage?: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /**
   * The status of success and the schema of the body; null for no body. Fields that the schema does not list are never
   * sent.
   */
  readonly ok: readonly [status: 200 | 201 | 202 | 204, body: z.ZodType | null]
  /** The media type of a GET that returns a file instead of JSON. */
  readonly file?: string
  /** Error statuses beyond those that every endpoint can return, for the OpenAPI document. */
  readonly errors?: readonly number[]
  /** Accepts no `Idempotency-Key`: the response is a session cookie, which is not stored and so cannot be replayed. */
  readonly keyless?: true
  /**
   * `own`: the handler opens its own transactions, because it must record what it rejects, or hashes for longer than a
   * connection should be held. With an `Idempotency-Key` its response, which may hold secrets, is stored encrypted.
   */
  readonly transaction?: 'own'
}

export type Api = Readonly<Record<EndpointKey, Endpoint>>

export const defineApi = <const A extends Api>(api: A): A => api

type Part<E, P extends string> = E extends { readonly [K in P]: { _zod: { input: infer I } } }
  ? { [K in P]: I }
  : unknown
type Parsed<E, P extends string> = E extends { readonly [K in P]: { _zod: { output: infer O } } }
  ? { [K in P]: O }
  : unknown

/** A caller's input: `{ params, query, body }`, as far as the endpoint has them. */
export type Input<E> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>
/** The same input after parsing, as a handler sees it. */
export type ParsedInput<E> = Parsed<E, 'params'> & Parsed<E, 'query'> & Parsed<E, 'body'>
/** The response as a caller sees it. */
export type Answer<E> = E extends { readonly ok: readonly [number, { _zod: { output: infer O } }] } ? O : undefined
export interface FileAnswer {
  readonly name: string
  /** An iterable is sent while it is produced: it may be larger than memory. */
  readonly body: Uint8Array | string | AsyncIterable<string>
}

/** The return value of a handler, before the schema removes other fields. */
export type Reply<E> = E extends { readonly file: string }
  ? FileAnswer
  : E extends { readonly ok: readonly [number, { _zod: { input: infer I } }] }
    ? I
    : void
