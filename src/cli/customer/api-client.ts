/**
 * The client of the public API: typed by the contracts, with a deadline, a size limit, and retries that cannot do a
 * thing twice.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Answer, Api, EndpointKey, Input } from '../../kernel/endpoint.ts'
import { CommandError, type Terminal } from '../command.ts'
import { readAccount, type Account } from './account.ts'

const DEADLINE_MS = 30_000
const MOST_BYTES = 32 * 1024 * 1024
const ATTEMPTS = 3

interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
}

export interface ApiClient {
  readonly url: string
  call<A extends Api, K extends keyof A & EndpointKey>(
    api: A,
    key: K,
    ...input: unknown extends Input<A[K]> ? [input?: undefined, key?: string] : [input: Input<A[K]>, key?: string]
  ): Promise<Answer<A[K]>>
  /** Returns the unread response, for files and streams. The caller reads it to its end. */
  open(path: string, accept: string, signal?: AbortSignal): Promise<Response>
}

export const apiClientFor = async ({ env }: Pick<Terminal, 'env'>): Promise<ApiClient> =>
  createApiClient(await readAccount(env))

export function createApiClient({ url, token }: Account): ApiClient {
  const headers = { authorization: `Bearer ${token}`, 'user-agent': 'longhaul-shell/1' }
  /** Every attempt sends the same key: a retry after a lost response does nothing twice. */
  const exchange = async (method: string, target: string, body: unknown, idempotencyKey: string): Promise<unknown> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await fetch(url + target, {
          method,
          redirect: 'error',
          signal: AbortSignal.timeout(DEADLINE_MS),
          headers: {
            ...headers,
            accept: 'application/json',
            ...(method === 'GET' ? {} : { 'idempotency-key': idempotencyKey }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const text = (await readCapped(response)).toString('utf8')
        if (response.ok) return text === '' ? undefined : readJson(text)
        if (response.status === 503 && attempt < ATTEMPTS) await sleep(waitOf(response, attempt))
        else throw denialReason(response.status, text)
      } catch (error) {
        if (error instanceof CommandError) throw error
        if (attempt === ATTEMPTS) throw unreachable(url, error)
        await sleep(300 * attempt)
      }
    }
  }
  return {
    url,
    async call(api, key, ...[input, idempotencyKey]) {
      const [method, path] = (key as string).split(' ') as [string, string]
      const { params = {}, query = {}, body } = (input ?? {}) as AnyInput
      const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
      const search = new URLSearchParams(
        Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
      )
      const answer = await exchange(
        method,
        search.size > 0 ? `${target}?${search.toString()}` : target,
        body,
        idempotencyKey ?? randomUUID(),
      )
      const shape = api[key]?.ok[1]
      const read = shape?.safeParse(answer)
      if (read && !read.success)
        throw new CommandError(`${url} answered ${key} in an unknown format. Use the longhaul command of its release.`)
      return read?.data as never
    },
    async open(path, accept, signal) {
      const response = await fetch(url + path, {
        redirect: 'error',
        headers: { ...headers, accept },
        ...(signal && { signal }),
      }).catch((error: unknown) => {
        throw unreachable(url, error)
      })
      if (!response.ok) throw denialReason(response.status, (await readCapped(response)).toString('utf8'))
      return response
    },
  }
}

export async function readCapped(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MOST_BYTES) throw new CommandError('The response is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandError('That address is not a portal: the response is not JSON.')
  }
}

const problem = z.object({
  title: z.string(),
  detail: z.string(),
  requestId: z.string().optional(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})

/** Formats the portal's error as text, one line for each invalid field. */
function denialReason(status: number, text: string): CommandError {
  const read = problem.safeParse(status === 502 || text === '' ? null : tryJson(text))
  if (!read.success) return new CommandError(`The portal answered ${status}.`)
  const { detail, errors, requestId } = read.data
  const words = status === 401 ? 'The token is invalid or expired: longhaul login.' : detail
  const lines = errors?.map(({ field, message }) => `${field}: ${message}`) ?? [words]
  // Support finds the request in the log by this id.
  return new CommandError([...lines, ...(requestId && status >= 500 ? [`Request ${requestId}`] : [])].join('\n'))
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function unreachable(url: string, error: unknown): CommandError {
  const cause = (error as { cause?: { code?: string } }).cause?.code
  const name = error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : cause
  return new CommandError(`${url} cannot be reached: ${name ?? (error as Error).message}`)
}

const waitOf = (response: Response, attempt: number): number =>
  Math.min(10, Number(response.headers.get('retry-after')) || attempt) * 1_000
