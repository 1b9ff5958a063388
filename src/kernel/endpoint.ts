/**
 * How a call of the REST border is described: once, in a slice's `contract.ts`, read by the server (which parses
 * with it), by the OpenAPI document and, as types alone, by the browser.
 */
import type { z } from 'zod'
import type { RequiredRole } from './required-role.ts'

/**
 * The access that an endpoint needs. `verified` is a session whose user has a verified ASN; a session without one gets 403 `asn_unverified`.
 * `admin` to anyone else is 403; ownership of a thing is never decided here but in the query that finds it.
 */
export type Access = 'public' | 'session' | 'verified' | 'admin'

export type ImpersonationRule = 'never' | 'always'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type EndpointKey = `${Method} /${string}`

export interface Endpoint {
  /** One line for the OpenAPI document and the people who read it. */
  readonly summary: string
  readonly access: Access
  /** For `admin`: callers without this role get 403 `insufficient_role`. Without one, all staff may call. */
  readonly requiredRole?: RequiredRole
  /**
   * For staff who impersonate a customer. By default they may read, and change things after they elevate.
   * `never`: not even then. `always`: without elevating.
   */
  readonly impersonation?: ImpersonationRule
  /** Audit-log text that the customer sees after `Support`, where staff may change something for them. */
  readonly auditMessage?: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Status of success, and the shape of its body; null for none. Fields that the shape does not list never leave. */
  readonly ok: readonly [status: 200 | 201 | 202 | 204, body: z.ZodType | null]
  /** The media type of a GET that returns a file instead of JSON. */
  readonly file?: string
  /** Refusals beyond those that every call can have, for the OpenAPI document. */
  readonly errors?: readonly number[]
  /** Takes no `Idempotency-Key`: what it answers is a cookie that signs in, and nobody keeps that to give it out again. */
  readonly keyless?: true
  /**
   * `own`: the handler opens its transactions itself, because it must keep a note of what it refuses, or hashes for
   * longer than a connection should be held. With an `Idempotency-Key` its answer, which may hold secrets, is kept sealed.
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

/** The input of a caller: those of `{ params, query, body }` that the endpoint has. */
export type Input<E> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>
/** The same after parsing, as a handler sees it. */
export type ParsedInput<E> = Parsed<E, 'params'> & Parsed<E, 'query'> & Parsed<E, 'body'>
/** The response as a caller sees it. */
export type Answer<E> = E extends { readonly ok: readonly [number, { _zod: { output: infer O } }] } ? O : undefined
export interface FileAnswer {
  readonly name: string
  /** An iterable is sent while it is made: it may be larger than memory. */
  readonly body: Uint8Array | string | AsyncIterable<string>
}

/** The return value of a handler, before the schema removes other fields. */
export type Reply<E> = E extends { readonly file: string }
  ? FileAnswer
  : E extends { readonly ok: readonly [number, { _zod: { input: infer I } }] }
    ? I
    : void
