/** Uses the API as a program does, to prepare browser tests and for the denial matrix. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { disagreements, documentOf } from './document.ts'
import { DEMO_PASSWORD, linkIn, waitForMail } from '../product.ts'
import path from 'node:path'

export type Role = 'anonymous' | 'newcomer' | 'customer' | 'staff'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Null when the response is no JSON. */
  readonly body: unknown
  readonly text: string
}

export interface Caller {
  /** The cookies as a header, for a browser's context. */
  readonly cookies: ReadonlyMap<string, string>
  send(method: string, target: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Returns the body of a request that has to succeed. */
  must<T>(method: string, target: string, body?: unknown): Promise<T>
  graphql<T>(query: string, variables?: object): Promise<T>
  /** Repeats the read until the response is as wanted. */
  until<T>(target: string, wanted: (answer: T) => boolean, withinMs?: number): Promise<T>
}

export async function signIn(url: string, role: Role | { email: string; password: string }): Promise<Caller> {
  const caller = createCaller(url)
  if (role === 'anonymous') return caller
  const account = typeof role === 'string' ? { email: `${role}@example.net`, password: DEMO_PASSWORD } : role
  await caller.must('POST', '/api/session', account)
  return caller
}

export function createCaller(url: string): Caller {
  const cookies = new Map<string, string>()
  const send: Caller['send'] = async (method, target, body, headers = {}) => {
    const response = await fetch(url + target, {
      method,
      headers: {
        accept: 'application/json',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-csrf-token': cookies.get('CSRF-TOKEN') ?? '',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      cookies.set(name!, value!)
    }
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, body: readJson(response, text), text }
    await requireDocumented(url, { method, target }, answer)
    return answer
  }
  const must = async <T>(method: string, target: string, body?: unknown): Promise<T> => {
    const answer = await send(method, target, body)
    if (answer.status >= 300) throw new Error(`${method} ${target} answered ${answer.status}: ${answer.text}`)
    return answer.body as T
  }
  return {
    cookies,
    send,
    must,
    graphql: async <T>(query: string, variables = {}) =>
      (await must<{ data: T }>('POST', '/api/graphql', { query, variables })).data,
    async until<T>(target: string, wanted: (answer: T) => boolean, withinMs = 15_000) {
      const deadline = performance.now() + withinMs
      for (;;) {
        const answer = await must<T>('GET', target)
        if (wanted(answer)) return answer
        if (performance.now() > deadline) throw new Error(`GET ${target} stayed at ${JSON.stringify(answer)}`)
        await sleep(50)
      }
    },
  }
}

/** Checks every response of every test: the release, and what the published document says about the request. */
async function requireDocumented(url: string, call: { method: string; target: string }, answer: Answer): Promise<void> {
  const type = answer.headers.get('content-type') ?? ''
  const found = disagreements(await documentOf(url), call, { status: answer.status, type, body: answer.body })
  if (!answer.headers.has('x-release-version')) found.push('x-release-version is missing')
  if (found.length > 0) throw new Error(`${call.method} ${call.target}: ${found.join('; ')}\n${answer.text}`)
}

const readJson = (response: Response, text: string): unknown =>
  /\bjson\b/.test(response.headers.get('content-type') ?? '') && text !== '' ? JSON.parse(text) : null

export interface Account {
  readonly email: string
  readonly password: string
}

/**
 * Signs up a new account with a verified address that no other has: test files share a product, and one may run twice.
 */
export async function signUp(testServer: { url: string; dataDir: string }, name: string): Promise<Account> {
  const account = {
    email: `${name}-${randomUUID().slice(0, 8)}@example.org`,
    password: 'quite a long word of their own',
  }
  const caller = createCaller(testServer.url)
  await caller.must('POST', '/api/users', { firstName: 'Sanna', lastName: 'Piper', ...account })
  const mail = await waitForMail(path.join(testServer.dataDir, 'mail'), account.email, /verify\/email/, 10_000)
  await caller.must('POST', '/api/verify/email', { token: tokenIn(linkIn(mail, '/verify/email')) })
  return account
}

/** Gives the account a verified ASN, as staff do. */
export async function verifyAsn(
  testServer: { url: string; dataDir: string },
  account: Account,
  asn: number,
): Promise<void> {
  const user = await signIn(testServer.url, account)
  const staff = await signIn(testServer.url, 'staff')
  const { id } = await user.must<{ id: number }>('GET', '/api/user')
  await user.must('PUT', '/api/transit_connection', { asn })
  const draft = `/api/admin/users/${id}/asn_verifications`
  const { contacts } = await staff.must<{ contacts: { email: string }[] }>('GET', `${draft}/new`)
  const { email } = contacts[0]!
  await staff.must('POST', draft, { email })
  const mail = await waitForMail(path.join(testServer.dataDir, 'mail'), email, /verify\/asn/, 10_000)
  await createCaller(testServer.url).must('POST', '/api/verify/asn', { token: tokenIn(linkIn(mail, '/verify/asn')) })
}

const tokenIn = (link: string): string => new URL(link, 'http://portal.invalid').searchParams.get('token')!
