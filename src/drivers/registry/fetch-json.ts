/**
 * Fetches JSON from servers that others choose: the bootstrap names the registry, and a registry may redirect to
 * another. None of them can make us send requests into our own network. Except for the configured origin, every
 * connection uses https and goes only to public addresses. The check applies to the address that is actually connected
 * to.
 */
import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { bogonReason } from '../../kernel/bogon.ts'
import { familyBits, parseAddress } from '../../kernel/prefix.ts'
import { RegistryError } from './index.ts'

export interface FetchRules {
  /** The configured origin, which may use plain http and a private network. */
  readonly trustedOrigin: string
  readonly signal: AbortSignal
}

export interface JsonAnswer {
  readonly status: number
  /** The URL of the response after redirects. */
  readonly url: URL
  /** As the server sent it (RFC 9110 section 10.2.3). */
  readonly retryAfter: string | undefined
  /** Undefined unless the status is 200. */
  readonly body: unknown
}

const MAX_BYTES = 2 * 1024 * 1024
const MAX_REDIRECTS = 4

export async function fetchJson(address: string, rules: FetchRules): Promise<JsonAnswer> {
  let url = new URL(address)
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await send(url, rules)
    const status = response.statusCode ?? 0
    const location = status >= 301 && status <= 308 ? response.headers.location : undefined
    const retryAfter = response.headers['retry-after']
    if (location === undefined)
      return { status, url, retryAfter, body: status === 200 ? await readJson(response, url) : drop(response) }
    drop(response)
    const next = URL.parse(location, url.href)
    if (!next) throw new RegistryError('protocol', `${url.host} redirects to something that is no address.`)
    url = next
  }
  throw new RegistryError('protocol', `${url.host} redirects in circles.`)
}

export const isPublicAddress = (text: string): boolean => {
  const address = parseAddress(text)
  if (!address) return false
  return bogonReason({ family: address.family, network: address.value, length: familyBits(address.family) }) === null
}

function send(url: URL, { trustedOrigin, signal }: FetchRules): Promise<IncomingMessage> {
  const trusted = url.origin === trustedOrigin
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!trusted && (url.protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host))))
    throw new RegistryError('protocol', `${url.origin} is not asked: only public addresses over https are.`)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const options = {
    headers: { accept: 'application/rdap+json, application/json', 'user-agent': 'longhaul-portal' },
    signal,
    ...(trusted ? {} : { lookup: lookupPublic }),
  }
  return new Promise((answer, reject) => {
    request(url, options, answer)
      .on('error', (cause) => reject(cause instanceof RegistryError ? cause : unreachable(url, cause)))
      // Also without an error, as when the server switches protocols: nothing else would end the request.
      .on('close', () => reject(unreachable(url, new Error('it closed the connection before it answered'))))
      .end()
  })
}

type LookupDone = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

function lookupPublic(hostname: string, options: LookupOptions, done: LookupDone): void {
  resolve(hostname, { ...options, all: true }, (error, all) => {
    const open = (all ?? []).filter(({ address }) => isPublicAddress(address))
    const [first] = open
    if (error) done(error, [])
    else if (!first) done(new RegistryError('protocol', `${hostname} has no public address.`), [])
    else if (options.all) done(null, open)
    else done(null, first.address, first.family)
  })
}

async function readJson(response: IncomingMessage, url: URL): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_BYTES) throw new RegistryError('protocol', `${url.host} sent more than ${MAX_BYTES} bytes.`)
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (cause) {
    if (cause instanceof RegistryError) throw cause
    if (cause instanceof SyntaxError) throw new RegistryError('protocol', `${url.host} sent no JSON.`, { cause })
    throw unreachable(url, cause)
  }
}

function drop(response: IncomingMessage): undefined {
  response.destroy()
}

const unreachable = (url: URL, cause: unknown): RegistryError =>
  new RegistryError('unreachable', `${url.host} cannot be reached.`, { cause })
