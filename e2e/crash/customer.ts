/**
 * A customer who does everything that customers do, in random order, and records what the portal acknowledged. Only one
 * request is under way at a time, so the record is exact: it says what must be there in the end, and nothing else may
 * be.
 */
import { linkIn } from '../product.ts'
import type { Mailbox } from './mailbox.ts'
import { TestUser, type Answered } from './user.ts'
import type { Random } from './random.ts'

const PASSWORD = 'a long word for the crash'
const MOST_ROUTERS = 3
const SITE = { site: 'ams1', plan: 'lark', image: 'longhaul-appliance' }
const POWER = ['start', 'shutdown', 'reboot', 'stop', 'reset', 'reinstall'] as const

export interface ExpectedRouter {
  readonly uuid: string
  readonly name: string
  state: 'RUNNING' | 'STOPPED'
}

export interface CustomerOptions {
  readonly url: string
  /** From 500030 to 500039: the demonstration's registries have these, and what they may announce. */
  readonly asn: number
  readonly staff: TestUser
  readonly mailbox: Mailbox
  readonly random: Random
}

export class Customer {
  readonly email: string
  readonly user: TestUser
  readonly routers = new Map<number, ExpectedRouter>()
  readonly deletedRouters = new Set<number>()
  /** Prefix requests that hold their space, by value. */
  readonly prefixes = new Map<string, { id: number; status: 'PENDING' | 'APPROVED' }>()
  readonly cards = new Set<number>()
  /** Entries that the audit log must have, by action. */
  readonly auditLog = new Map<string, number>()
  carrier: number | null = null
  firstName = 'Robin'
  readonly #options: CustomerOptions
  readonly #values: readonly string[]
  #names = 0

  constructor(options: CustomerOptions) {
    const { asn, url } = options
    const last = asn % 100
    this.#options = options
    this.email = `noc-${asn}@customers.example`
    this.user = new TestUser(url)
    this.#values = [`45.30.${last}.0/24`, `2d10:${last}::/32`, `2d10:${last}:1::/48`, `2d10:${last}:2::/48`]
  }

  /** Turns a stranger into a customer with a verified ASN and a card. */
  async arrive(): Promise<void> {
    const { user, email } = this
    const { asn, staff, mailbox } = this.#options
    const name = { firstName: this.firstName, lastName: `AS${asn}` }
    await user.demand('POST', '/api/users', { ...name, email, password: PASSWORD })
    this.#record('account.signed_up')
    const welcome = await mailbox.awaitEmail(email, /verify\/email/)
    // A first attempt without a response may have used the link; signing in shows whether it did.
    const verified = await user.call('POST', '/api/verify/email', { token: tokenIn(welcome, '/verify/email') })
    if (verified.status >= 300 && !verified.again) throw new Error(`a fresh link is refused: ${verified.status}`)
    await user.signIn(email, PASSWORD)
    this.#record('email.verified')
    await user.demand('PUT', '/api/transit_connection', { asn })
    const { id } = (await user.demand('GET', '/api/user')).body as { id: number }
    await staff.demand('POST', `/api/admin/users/${id}/asn_verifications`, { email: `noc@as${asn}.example` })
    this.#record('asn.verification_sent')
    const proof = await mailbox.awaitEmail(`noc@as${asn}.example`, /verify\/asn/)
    await user.demand('POST', '/api/verify/asn', { token: tokenIn(proof, '/verify/asn') })
    this.#record('asn.verified')
    await this.#addCard('pm_card_visa')
  }

  /** Does one random thing. */
  async act(): Promise<void> {
    const { random } = this.#options
    await random.pick([
      () => this.#createRouter(),
      () => this.#powerRouter(),
      () => this.#powerRouter(),
      () => this.#deleteRouter(),
      () => this.#choosePath(),
      () => this.#requestPrefix(),
      () => this.#requestPrefix(),
      () => this.#approvePrefix(),
      () => this.#withdrawPrefix(),
      () => this.#rename(),
      () => this.#toggleSecondCard(),
    ])()
  }

  async #createRouter(): Promise<void> {
    if (this.routers.size >= MOST_ROUTERS) return
    const order = { ...SITE, name: `as${this.#options.asn}-${++this.#names}` }
    const response = await this.user.call('POST', '/api/virtual_machines', order)
    // Routers being deleted still take their room, and a small machine has little.
    if (response.status === 409) return
    if (response.status >= 300)
      throw new Error(`an order is refused: ${response.status} ${JSON.stringify(response.body)}`)
    this.routers.set(response.body.id, { uuid: response.body.uuid, name: order.name, state: 'RUNNING' })
    this.#record('router.created')
    await this.#sayAgain('/api/virtual_machines', order, response)
  }

  async #powerRouter(): Promise<void> {
    const { random } = this.#options
    const id = this.#anyRouter()
    if (id === null) return
    const action = random.pick(POWER)
    const response = await this.user.call('POST', `/api/virtual_machines/${id}/actions`, { action })
    if (response.status === 409) return
    if (response.status !== 202)
      throw new Error(`${action} of router ${id}: ${response.status} ${JSON.stringify(response.body)}`)
    this.routers.get(id)!.state = action === 'stop' || action === 'shutdown' ? 'STOPPED' : 'RUNNING'
    this.#record('router.action_requested')
  }

  async #deleteRouter(): Promise<void> {
    const id = this.#anyRouter()
    if (id === null) return
    await this.user.demand('DELETE', `/api/virtual_machines/${id}`)
    this.routers.delete(id)
    this.deletedRouters.add(id)
    if (this.carrier === id) this.carrier = null
    this.#record('router.delete_requested')
  }

  /** Chooses the router that carries the sessions. */
  async #choosePath(): Promise<void> {
    const routerId = this.#anyRouter()
    await this.user.demand('PUT', '/api/transit_connection', { routerId })
    this.carrier = routerId
  }

  async #requestPrefix(): Promise<void> {
    const value = this.#options.random.pick(this.#values)
    if (this.prefixes.has(value)) return
    const request = { value, announcementType: 'ORIGIN' }
    const response = await this.user.demand('POST', '/api/transit_prefixes', request)
    this.prefixes.set(value, { id: response.body.id, status: 'PENDING' })
    this.#record('prefix.requested')
    await this.#sayAgain('/api/transit_prefixes', request, response)
  }

  async #approvePrefix(): Promise<void> {
    const waiting = [...this.prefixes.values()].find((prefix) => prefix.status === 'PENDING')
    if (!waiting) return
    const reason = 'Known to us for years'
    await this.#options.staff.demand('POST', `/api/admin/transit_prefixes/${waiting.id}/approve`, { reason })
    waiting.status = 'APPROVED'
    this.#record('prefix.approved')
  }

  async #withdrawPrefix(): Promise<void> {
    const { random } = this.#options
    if (this.prefixes.size === 0 || random.chance(0.5)) return
    const value = random.pick([...this.prefixes.keys()])
    await this.user.demand('DELETE', `/api/transit_prefixes/${this.prefixes.get(value)!.id}`)
    this.prefixes.delete(value)
    this.#record('prefix.withdrawn')
  }

  async #rename(): Promise<void> {
    const firstName = `Robin the ${++this.#names}th`
    await this.user.demand('PATCH', '/api/user', { firstName })
    this.firstName = firstName
    this.#record('account.changed')
  }

  async #toggleSecondCard(): Promise<void> {
    const second = [...this.cards][1]
    if (second === undefined) return this.#addCard('pm_card_mastercard')
    await this.user.demand('DELETE', `/api/account/payment_methods/${second}`)
    this.cards.delete(second)
    this.#record('payment_method.removed')
  }

  async #addCard(token: string): Promise<void> {
    const { body } = await this.user.demand('POST', '/api/account/payment_methods', { token })
    this.cards.add(body.id)
    this.#record('payment_method.added')
  }

  /** Repeats the order under the same key, as a program does that lost its connection: it must have no effect. */
  async #sayAgain(path: string, body: unknown, first: Answered): Promise<void> {
    if (!this.#options.random.chance(0.3)) return
    const second = await this.user.call('POST', path, body, first.key)
    if (second.status !== first.status || second.body.id !== first.body.id)
      throw new Error(`POST ${path} under the same key answered ${second.status} ${JSON.stringify(second.body)}`)
  }

  #anyRouter(): number | null {
    return this.routers.size === 0 ? null : this.#options.random.pick([...this.routers.keys()])
  }

  #record(action: string): void {
    this.auditLog.set(action, (this.auditLog.get(action) ?? 0) + 1)
  }
}

const tokenIn = (sentEmail: Parameters<typeof linkIn>[0], pathname: string): string =>
  new URLSearchParams(linkIn(sentEmail, pathname).split('?')[1]).get('token')!
