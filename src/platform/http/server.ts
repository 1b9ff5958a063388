/** The HTTP server without any slice: authentication, CSRF, headers, errors. */
import type { SecretKey } from '../secret-key.ts'
import cookie from '@fastify/cookie'
import websocket from '@fastify/websocket'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ImpersonationRule } from '../../kernel/endpoint.ts'
import { unmapAddress } from '../../kernel/prefix.ts'
import { forbidden, malformed, notFound } from '../../kernel/problem.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { beginTrace, withTrace, type Trace } from '../trace.ts'
import { requireImpersonationAllowed } from './impersonation.ts'
import { compressAnswers } from './compression.ts'
import { createCsrf, CSRF_COOKIE, CSRF_HEADER, type Csrf } from './csrf.ts'
import { encryptResponses } from './response-encryption.ts'
import type { ResponseEncryption } from './idempotency.ts'
import type { Authenticate, Principal } from './principal.ts'
import { rejectMalformedRequest, sendProblem } from './problem-details.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
    /** The secret of the session cookie if it is valid; null otherwise. */
    sessionToken: string | null
    /** Authenticates the caller again. */
    identifyAgain: () => Promise<Principal | null>
    /** The trace of this request; kept for staff only. */
    trace: Trace
  }
  interface FastifyContextConfig {
    /** The endpoint's key in its contract, for logs and metrics. */
    endpoint?: string
    /** Whether staff may call this while they view as a customer; see `Endpoint`. */
    impersonation?: ImpersonationRule
    /** Endpoints with their own authentication (a signature over the body) skip the session and its CSRF check. */
    unauthenticated?: true
    /** Endpoints that only a script of our own pages can call, by another header than the CSRF token. */
    scriptOnly?: true
  }
  interface FastifyInstance {
    readonly responseEncryption: ResponseEncryption
  }
}

export interface HttpOptions {
  readonly config: Pick<Config, 'RELEASE' | 'TRUSTED_PROXIES'>
  readonly log: Log
  readonly secretKey: SecretKey
  /** Whether users reach the portal over https: decides cookie names and HSTS. */
  readonly secure: boolean
  readonly authenticate: Authenticate
}

export interface SessionCookies {
  readonly name: string
  /** Sets the session cookie and its readable CSRF cookie. */
  set(reply: { setCookie: SetCookie }, sessionToken: string, maxAgeSeconds: number): void
  clear(reply: { setCookie: SetCookie }): void
}

type SetCookie = (name: string, value: string, options: CookieOptions) => unknown
interface CookieOptions {
  path: string
  httpOnly: boolean
  sameSite: 'lax'
  secure: boolean
  maxAge?: number
}

/** The largest legitimate body is a list of prefixes to check. */
const BODY_LIMIT = 256 * 1024
/** From the first byte of a request to the last: a slow body holds a connection no longer than slow headers do. */
const REQUEST_WITHIN_MS = 60_000
/** How often Node checks for such requests. Its default of 30 s would let one last for 90 s. */
const LOOK_FOR_SLOW_REQUESTS_EVERY_MS = 5_000
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

export interface Http {
  readonly app: FastifyInstance
  readonly cookies: SessionCookies
}

export async function createHttp({ config, log, secretKey, secure, authenticate }: HttpOptions): Promise<Http> {
  const csrf = createCsrf(secretKey)
  const cookies = sessionCookies(secure, csrf)
  const always = {
    'x-release-version': config.RELEASE,
    ...SECURITY_HEADERS,
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
  const sockets = new Set<string>()
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: config.TRUSTED_PROXIES.length > 0 ? [...config.TRUSTED_PROXIES] : false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: true,
    requestTimeout: REQUEST_WITHIN_MS,
    // Node would answer these itself, without our headers: a request without a host, and one with an unknown
    // expectation.
    http: {
      requireHostHeader: false,
      connectionsCheckingInterval: LOOK_FOR_SLOW_REQUESTS_EVERY_MS,
      shouldUpgradeCallback: (request) => opensSocket(request, sockets),
    },
    frameworkErrors: (error, request, reply) => {
      reply.headers(always)
      void sendProblem(request, reply, error)
    },
    clientErrorHandler: (error, socket) => rejectMalformedRequest(error, socket, always),
  })
  acceptJson(app)
  // RFC 9110 section 10.1.1: what a request expects beyond `100-continue` may be ignored.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.decorate('responseEncryption', encryptResponses(secretKey))
  await app.register(cookie)
  compressAnswers(app)
  app.addHook('onRoute', ({ url, wsHandler }) => {
    if (wsHandler) sockets.add(url)
  })
  await app.register(websocket, { options: { maxPayload: 64 * 1024 } })
  app.decorateRequest('principal', null)
  app.decorateRequest('sessionToken', null)
  app.decorateRequest('trace')
  app.decorateRequest('identifyAgain')
  app.addHook('onRequest', (request, _reply, done) => {
    // A socket that listens on :: shows all IPv4 visitors in one IPv6 /64; throttles, sessions and the audit log need
    // the real address.
    const ip = unmapAddress(request.ip)
    if (ip !== request.ip) Object.defineProperty(request, 'ip', { value: ip })
    request.trace = beginTrace(request.id, `${request.method} ${request.url.split('?', 1)[0]}`)
    withTrace(request.trace, done)
  })
  // The body is read in the context of its socket, so enter the trace again before the handler.
  app.addHook('preValidation', (request, _reply, done) => withTrace(request.trace, done))

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.headers(always)
    if (isApi(request)) reply.header('cache-control', 'no-store')
    // RFC 9112 section 3.2; HTTP/1.0 had none.
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw malformed('The request names no host.')
    // With two host headers, a proxy may have used the other one.
    if (request.raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1)
      throw malformed('The request names more than one host.')
    const handOut = () => {
      if (request.cookies[CSRF_COOKIE] || !(isApi(request) || isPage(request))) return
      reply.setCookie(CSRF_COOKIE, csrf.tokenFor(`anonymous ${request.id}`), readable(secure))
    }
    // Public endpoints do not load the session, so a caller with one gets its CSRF cookie from the first endpoint that
    // does. An unknown path of the API reaches the page's route but is answered as API.
    const open = request.routeOptions.config.unauthenticated && !(isPage(request) && isApi(request))
    if (open) return request.cookies[cookies.name] ? undefined : handOut()
    await identify(request, cookies.name, authenticate)
    if (request.principal?.via === 'session') {
      // Also on an error: a caller that lost the cookie has it for the next attempt. Another site cannot read it.
      if (request.cookies[CSRF_COOKIE] !== csrf.tokenFor(request.sessionToken!)) {
        reply.setCookie(CSRF_COOKIE, csrf.tokenFor(request.sessionToken!), readable(secure))
      }
      const presented = request.headers[CSRF_HEADER]
      const { scriptOnly } = request.routeOptions.config
      if (!SAFE.has(request.method) && !scriptOnly && !csrf.matches(request.sessionToken!, presented)) {
        throw forbidden('The X-CSRF-Token header is missing or wrong: try again.', 'csrf')
      }
      requireImpersonationAllowed(request, request.routeOptions.config.impersonation)
    } else handOut()
  })
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error as Error))
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, notFound()))
  return { app, cookies }
}

/**
 * Many clients offer HTTP/2 with every request. Anything but one of our WebSockets is answered as if no upgrade had
 * been offered (RFC 9110, section 7.8). Node would otherwise take it off HTTP with its body unread.
 */
const opensSocket = ({ headers, url = '' }: IncomingMessage, sockets: ReadonlySet<string>): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && sockets.has(url.split('?', 1)[0]!)

/**
 * Accepts a JSON body or none. Some clients always send the content type, even without a body: treat that as no body.
 */
function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = asUtf8(body as Buffer)
    if (text === null) done(malformed('The body is not UTF-8.'))
    else if (text === '') done(null, undefined)
    else void parse(request, text, done)
  })
}

/** JSON is UTF-8 (RFC 8259, section 8.1). Lenient decoding would store invalid bytes as replacement characters. */
function asUtf8(bytes: Buffer): string | null {
  try {
    return UTF8.decode(bytes)
  } catch {
    return null
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

async function identify(request: FastifyRequest, cookieName: string, authenticate: Authenticate): Promise<void> {
  const authorization = request.headers.authorization
  const bearer = authorization?.match(/^Bearer ([\x21-\x7e]{1,512})$/i)?.[1] ?? null
  // A request with a token is authenticated by the token alone: its cookies are ignored.
  const sessionToken = authorization === undefined ? (request.cookies[cookieName] ?? null) : null
  if (!bearer && !sessionToken) return
  request.identifyAgain = () => authenticate({ sessionToken, bearer, ip: request.ip })
  request.principal = await request.identifyAgain()
  if (request.principal?.via === 'session') request.sessionToken = sessionToken
}

const isApi = (request: FastifyRequest): boolean => /^\/(api|internal|mini-profiler-resources)(\/|$)/.test(request.url)

/** Returns whether it is a page that a browser opens, not one of the assets, which caches share. */
const isPage = (request: FastifyRequest): boolean =>
  request.routeOptions.config.endpoint === 'portal' && request.routeOptions.url === '/*'

const readable = (secure: boolean): CookieOptions => ({ path: '/', httpOnly: false, sameSite: 'lax', secure })

function sessionCookies(secure: boolean, csrf: Csrf): SessionCookies {
  const name = secure ? '__Host-session' : 'session'
  return {
    name,
    set(reply, sessionToken, maxAgeSeconds) {
      reply.setCookie(name, sessionToken, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: maxAgeSeconds })
      reply.setCookie(CSRF_COOKIE, csrf.tokenFor(sessionToken), readable(secure))
    },
    clear(reply) {
      reply.setCookie(name, '', { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: 0 })
      reply.setCookie(CSRF_COOKIE, '', { ...readable(secure), maxAge: 0 })
    },
  }
}

/**
 * The portal's primitives and toasts set inline styles, so `unsafe-inline` applies to styles only; scripts are strict.
 */
const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self' https://js.stripe.com",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    // The portal's WebSockets belong to its own origin (CSP level 3, section 6.7.2.8).
    "connect-src 'self' https://api.stripe.com",
    'frame-src https://js.stripe.com https://hooks.stripe.com',
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const
