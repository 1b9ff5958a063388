/** People who sign up: each acknowledged sign-up must get exactly one email. */
import { randomUUID } from 'node:crypto'
import { TestUser } from './user.ts'

/** Below the rate limit of one network. */
const MOST = 60

export class Strangers {
  /** Addresses whose sign-up was acknowledged. */
  readonly addresses: string[] = []
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async act(): Promise<void> {
    if (this.addresses.length >= MOST) return
    const email = `stranger-${randomUUID()}@strangers.example`
    const password = 'words that nobody would guess'
    await new TestUser(this.#url).demand('POST', '/api/users', {
      firstName: 'A',
      lastName: 'Stranger',
      email,
      password,
    })
    this.addresses.push(email)
  }
}
