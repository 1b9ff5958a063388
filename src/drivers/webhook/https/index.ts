/**
 * Sends requests to addresses that strangers chose. The connection's own lookup checks where a name leads, so that a
 * DNS answer that changes between check and connection gains nothing. The socket's remote address is checked again
 * before any byte of ours is sent.
 */
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { beforeEffect } from '../../../kernel/effects.ts'
import { WebhookFailure, type WebhookAnswer, type WebhookRequest, type WebhookSender } from '../index.ts'
import { readExcerpt } from './excerpt.ts'
import { unreachable, type Reach } from './reachable.ts'

/** Ends with the signal. */
type Resolve = (name: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>

export interface HttpsSenderOptions extends Reach {
  /** From the first packet to the last byte of the response that we read. Default 15 s. */
  readonly deadlineMs?: number
  /** Replaces the DNS in tests. */
  readonly resolve?: Resolve
  /** Addresses with ports. Default: those of the system. */
  readonly nameServers?: readonly string[]
}

const DEADLINE_MS = 15_000
const HOSTNAME_OF_IPV6 = /^\[(.*)\]$/

export function createHttpsSender(options: HttpsSenderOptions): WebhookSender {
  const { deadlineMs = DEADLINE_MS } = options
  const resolve = options.resolve ?? resolveWith(options.nameServers)
  return {
    denial: (url) => urlDenialReason(url, options),
    async send(request, signal) {
      const refused = urlDenialReason(request.url, options)
      if (refused) throw new WebhookFailure(refused)
      const deadline = AbortSignal.timeout(deadlineMs)
      try {
        const until = AbortSignal.any([signal, deadline])
        return await exchange(request, guarded(resolve, options, until), options, until)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (deadline.aborted) throw new WebhookFailure(`There was no answer within ${deadlineMs / 1_000} seconds.`)
        throw error instanceof WebhookFailure ? error : new WebhookFailure(failureText(error), { cause: error })
      }
    },
  }
}

function urlDenialReason(text: string, reach: Reach): string | null {
  if (!URL.canParse(text)) return 'is not an address'
  const url = new URL(text)
  if (url.username || url.password) return 'holds a name or a password: the signature proves who sends'
  const host = url.hostname.replace(HOSTNAME_OF_IPV6, '$1')
  const literal = isIP(host) ? unreachable(host, reach) : null
  if (url.protocol === 'http:') {
    // Only where the demonstration allows it, and then only a literal loopback address: a name could lead elsewhere.
    const own = reach.loopback && isIP(host) !== 0 && unreachable(host, { denied: [], loopback: false }) !== null
    if (!own) return reach.loopback ? 'must begin with https:// (or http://127.0.0.1)' : 'must begin with https://'
  } else if (url.protocol !== 'https:') return 'must begin with https://'
  return literal
}

/**
 * Not the lookup of the system: that one holds a thread of the process until the name servers answer, and cannot be
 * canceled. A stranger's slow name servers would delay every other lookup of this process.
 */
const resolveWith =
  (nameServers: readonly string[] | undefined): Resolve =>
  async (name, signal) => {
    const resolver = new Resolver()
    if (nameServers) resolver.setServers(nameServers)
    const cancel = (): void => resolver.cancel()
    signal.addEventListener('abort', cancel)
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      if (four.status === 'rejected' && six.status === 'rejected') throw notResolved([four.reason, six.reason])
      const inFamily = (found: typeof four, family: 4 | 6): LookupAddress[] =>
        found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []
      return [...inFamily(four, 4), ...inFamily(six, 6)]
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

function notResolved(reasons: readonly NodeJS.ErrnoException[]): WebhookFailure {
  const codes = new Set(reasons.map(({ code }) => code))
  if (codes.has('ENOTFOUND')) return new WebhookFailure('There is no such host.')
  const empty = codes.size === 1 && codes.has('ENODATA')
  return new WebhookFailure(empty ? 'Its name has no address.' : 'Its name could not be looked up.')
}

/** Returns a lookup that gives the socket only public addresses. One other address rejects them all. */
const guarded =
  (resolve: Resolve, reach: Reach, signal: AbortSignal): LookupFunction =>
  (name, options, reply) => {
    const take = (addresses: readonly LookupAddress[]): void => {
      const refused = addresses.map(({ address }) => unreachable(address, reach)).find((why) => why !== null)
      if (refused) return reply(new WebhookFailure(`${name} leads where we do not send: ${refused}.`), '', 4)
      const [first] = addresses
      if (!first) return reply(new WebhookFailure(`${name} has no address.`), '', 4)
      if (options.all) return reply(null, [...addresses])
      reply(null, first.address, first.family)
    }
    resolve(name, signal).then(take, (error: NodeJS.ErrnoException) => reply(error, '', 4))
  }

function exchange(
  { url, headers, body }: WebhookRequest,
  lookup: LookupFunction,
  reach: Reach,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const secure = url.startsWith('https:')
  return new Promise((answer, fail) => {
    const request = (secure ? https : http).request(url, {
      method: 'POST',
      lookup,
      signal,
      // One connection for each message: what a stranger's server does to it cannot affect the next one.
      agent: false,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    })
    request.once('error', fail)
    // Also without an error, as when the far end switches protocols: nothing else would end the attempt.
    const unanswered = (): void => fail(new WebhookFailure('It closed the connection before it answered.'))
    request.once('close', unanswered)
    request.once('socket', (socket) => {
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        const refused = landed(socket, reach)
        if (refused) return request.destroy(new WebhookFailure(refused))
        try {
          // Check again now that it is connected: the process may have been frozen meanwhile.
          beforeEffect()
        } catch (error) {
          return request.destroy(error as Error)
        }
        request.end(body)
      })
    })
    // A redirect is a response like any other: following it would bypass every check above.
    request.once('response', (response) => {
      request.off('close', unanswered)
      readExcerpt(response)
        .then((excerpt) =>
          answer({
            status: response.statusCode!,
            excerpt,
            retryAfter: readRetryAfter(response.headers['retry-after']),
          }),
        )
        .catch(fail)
        .finally(() => request.destroy())
    })
  })
}

const landed = (socket: Socket, reach: Reach): string | null =>
  socket.remoteAddress === undefined
    ? 'the connection ended'
    : unreachable(socket.remoteAddress.replace(/^::ffff:(?=\d+\.)/i, ''), reach)

const readRetryAfter = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : null

const LABELS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'It refused the connection.',
  ECONNRESET: 'It closed the connection before it answered.',
  EHOSTUNREACH: 'It cannot be reached.',
  ENETUNREACH: 'It cannot be reached.',
  ETIMEDOUT: 'It did not take the connection in time.',
  CERT_HAS_EXPIRED: 'Its certificate is over.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is not signed by a trusted authority.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is not signed by a trusted authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate is not signed by a trusted authority.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name.',
}

function failureText(error: unknown): string {
  // If several addresses were tried, report the first error.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (first instanceof WebhookFailure) return first.message
  const { code, message } = first as NodeJS.ErrnoException
  return LABELS[code ?? ''] ?? `It did not work: ${code ?? message}`.slice(0, 200)
}
