/**
 * A user who does not give up: a request without a response is repeated, with the same `Idempotency-Key`, until there
 * is one. What the portal response this user must be true.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const ANSWER_WITHIN_MS = 90_000
/** A killed server closes its connections; one that hangs must not hang the test. */
const ATTEMPT_MS = 20_000

export interface Answered {
  readonly status: number
  // The contract defines the shapes; here fields are read by name.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
  readonly key: string
  /** An earlier attempt got no response and may have been carried out. */
  readonly again: boolean
}

export class TestUser {
  readonly #url: string
  readonly #cookies = new Map<string, string>()
  /** Requests that got a response, and how many of them only after a retry. */
  static answered = 0
  static repeated = 0

  constructor(url: string) {
    this.#url = url
  }

  /** Throws on a 500, and when there is no response for longer than any restart takes. */
  async call(method: string, path: string, body?: unknown, key: string = randomUUID()): Promise<Answered> {
    const until = performance.now() + ANSWER_WITHIN_MS
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#attempt(method, path, body, key).catch((error: unknown) => {
        if (performance.now() > until) throw new Error(`${method} ${path} got no answer`, { cause: error })
        return null
      })
      if (answer && answer.status !== 503) {
        if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
        TestUser.answered++
        if (attempt > 0) TestUser.repeated++
        return { ...answer, key, again: attempt > 0 }
      }
      await sleep(100)
    }
  }

  /** The same, where anything but success is a fault of the test or the portal. */
  async demand(method: string, path: string, body?: unknown, key?: string): Promise<Answered> {
    const response = await this.call(method, path, body, key)
    if (response.status >= 300)
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
    return response
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.call('GET', '/api/health')
    await this.demand('POST', '/api/session', { email, password })
  }

  async #attempt(method: string, path: string, body: unknown, key: string) {
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-csrf-token': this.#cookies.get('CSRF-TOKEN') ?? '',
        ...(method !== 'GET' && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ATTEMPT_MS),
    })
    const text = await response.text()
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      this.#cookies.set(name!, value!)
    }
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
  }
}
