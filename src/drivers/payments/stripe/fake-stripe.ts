/**
 * A small stateful fake of Stripe's API for tests: the calls of the provider, with Stripe's rules for ownership,
 * idempotency keys and refunds. Objects have a subset of Stripe's own fields.
 */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Fields = Record<string, string>
type StripeObject = Record<string, unknown> & { id: string }
interface Answer {
  status: number
  body: unknown
}

/** Stripe's own test-mode tokens, as far as the suite uses them. */
const CARDS: Record<string, { brand: string; last4: string; attach?: string; charge?: string }> = {
  pm_card_visa: { brand: 'visa', last4: '4242' },
  pm_card_mastercard: { brand: 'mastercard', last4: '4444' },
  pm_card_chargeDeclined: { brand: 'visa', last4: '0002', attach: 'card_declined' },
  pm_card_chargeCustomerFail: { brand: 'visa', last4: '0341', charge: 'card_declined' },
  pm_card_authenticationRequired: { brand: 'visa', last4: '3184', charge: 'authentication_required' },
}

class Refused extends Error {
  readonly answer: Answer
  constructor(status: number, error: Record<string, unknown>) {
    super('refused')
    this.answer = { status, body: { error } }
  }
}
const invalid = (message: string, code = 'resource_missing') =>
  new Refused(code === 'resource_missing' ? 404 : 400, { type: 'invalid_request_error', code, message })
const declined = (code: string, extra: Record<string, unknown> = {}) =>
  new Refused(402, { type: 'card_error', code, message: 'Your card was declined.', ...extra })

export interface FakeStripe {
  readonly endpoint: { host: string; port: number; protocol: 'http' }
  /** Every object returned so far. */
  readonly objects: ReadonlyMap<string, StripeObject>
  /** Does what the card form in the browser does. */
  readonly finishSetup: (setup: string, card: string) => void
  /** Does what the cardholder does on the bank's page. */
  readonly finishAction: (intent: string) => void
  /** An event as it would be delivered: its bytes and signature. */
  readonly deliver: (type: string, object: object, secret: string, at?: Date) => { body: Buffer; signature: string }
  /** The next calls succeed, but the connection breaks before their response. */
  readonly loseAnswers: (count: number) => void
  readonly close: () => Promise<void>
}

export async function startFakeStripe(): Promise<FakeStripe> {
  const objects = new Map<string, StripeObject>()
  const chargeRule = new Map<string, string>()
  const replays = new Map<string, { request: string; answer: Answer }>()
  let lost = 0
  let serial = 0

  const keep = (prefix: string, fields: Record<string, unknown>): StripeObject => {
    const object = { id: `${prefix}_${++serial}`, ...fields }
    objects.set(object.id, object)
    return object
  }
  const find = (id: string | undefined): StripeObject => {
    const object = objects.get(id ?? '')
    if (!object) throw invalid(`No such object: '${id}'`)
    return object
  }
  const newMethod = (token: string, customer: string): StripeObject => {
    const rule = CARDS[token]
    if (!rule) throw invalid(`No such PaymentMethod: '${token}'`)
    if (rule.attach) throw declined(rule.attach)
    const card = { brand: rule.brand, last4: rule.last4, exp_month: 8, exp_year: 2034 }
    const method = keep('pm', { object: 'payment_method', type: 'card', card, customer })
    if (rule.charge) chargeRule.set(method.id, rule.charge)
    return method
  }

  const pay = (fields: Fields): StripeObject => {
    const method = find(fields.payment_method)
    if (method.customer !== fields.customer)
      throw invalid('The PaymentMethod does not belong to this Customer.', 'payment_method_customer_mismatch')
    const { amount, currency, customer, description } = fields
    const metadata = { longhaul_key: fields['metadata[longhaul_key]'] }
    const sum = Number(amount)
    const intent = keep('pi', { object: 'payment_intent', amount: sum, currency, customer, description, metadata })
    Object.assign(intent, {
      status: 'requires_payment_method',
      next_action: null,
      client_secret: `${intent.id}_secret`,
    })
    const denial = chargeRule.get(method.id)
    if (denial) {
      intent.last_payment_error = { code: denial, message: 'Your card was declined.' }
      throw declined(denial, { payment_intent: intent })
    }
    return Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
  }
  const refund = (fields: Fields): StripeObject => {
    const intent = find(fields.payment_intent)
    const before = [...objects.values()].filter((other) => other.payment_intent === intent.id)
    const back = before.reduce((sum, other) => sum + Number(other.amount), Number(fields.amount))
    if (back > Number(intent.amount_received ?? 0))
      throw invalid('Refund is greater than the charge.', 'charge_too_large')
    return keep('re', {
      object: 'refund',
      amount: Number(fields.amount),
      payment_intent: intent.id,
      status: 'succeeded',
      metadata: { longhaul_key: fields['metadata[longhaul_key]'] },
    })
  }
  const listOf = (url: string, data: StripeObject[]) => ({ object: 'list', data, has_more: false, url })

  const answer = (call: string, fields: Fields): unknown => {
    const id = /^[A-Z]+ \/v1\/\w+\/(\w+)/.exec(call)?.[1]
    switch (call.replace(/\/(cus|seti|pm|pi)_\w+/, '/:id')) {
      case 'GET /v1/customers/search': {
        const mark = /^metadata\['longhaul_account'\]:'([\w-]+)'$/.exec(fields.query ?? '')?.[1]
        const data = [...objects.values()].filter(
          (object) => (object.metadata as Fields | undefined)?.longhaul_account === mark,
        )
        return { object: 'search_result', data, has_more: false, next_page: null, url: '/v1/customers/search' }
      }
      case 'POST /v1/customers':
        return keep('cus', {
          object: 'customer',
          email: null,
          name: null,
          metadata: { longhaul_account: fields['metadata[longhaul_account]'] },
        })
      case 'POST /v1/customers/:id':
        return Object.assign(find(id), fields)
      case 'POST /v1/setup_intents': {
        const setup = keep('seti', {
          object: 'setup_intent',
          customer: find(fields.customer).id,
          last_setup_error: null,
        })
        return Object.assign(setup, { status: 'requires_payment_method', client_secret: `${setup.id}_secret_x` })
      }
      case 'GET /v1/setup_intents/:id': {
        const setup = find(id)
        return typeof setup.payment_method === 'string'
          ? { ...setup, payment_method: find(setup.payment_method) }
          : setup
      }
      case 'GET /v1/payment_methods/:id':
        return find(id)
      case 'POST /v1/payment_methods/:id/attach': {
        const customer = find(fields.customer).id
        if (id !== undefined && !id.startsWith('pm_card_') && find(id).customer !== null)
          throw invalid('The payment method you provided has already been attached to a customer.', 'in_use')
        return newMethod(id ?? '', customer)
      }
      case 'POST /v1/payment_methods/:id/detach':
        return Object.assign(find(id), { customer: null })
      case 'POST /v1/payment_intents':
        return pay(fields)
      case 'GET /v1/payment_intents':
        return listOf(
          '/v1/payment_intents',
          [...objects.values()].filter((one) => one.object === 'payment_intent' && one.customer === fields.customer),
        )
      case 'GET /v1/payment_intents/:id':
        return find(id)
      case 'POST /v1/payment_intents/:id/cancel': {
        if (find(id).status === 'succeeded')
          throw invalid('You cannot cancel this PaymentIntent.', 'payment_intent_unexpected_state')
        return Object.assign(find(id), { status: 'canceled' })
      }
      case 'POST /v1/refunds':
        return refund(fields)
      case 'GET /v1/refunds':
        return listOf(
          '/v1/refunds',
          [...objects.values()].filter(
            (one) => one.payment_intent === fields.payment_intent && one.object === 'refund',
          ),
        )
      default:
        throw invalid(`Unrecognized request URL (${call})`)
    }
  }

  const server = createServer((request, response) => {
    void respond(request).then(
      ({ status, body }) => {
        if (lost > 0) {
          lost -= 1
          response.destroy()
          return
        }
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      },
      () => response.destroy(),
    )
  })
  async function respond(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? '/', 'http://stripe.invalid')
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const text = request.method === 'GET' ? url.search.slice(1) : body
    const call = `${request.method} ${url.pathname}`
    const key = request.headers['idempotency-key']
    // The SDK creates a key for each of its own POSTs, so its retries are replayed in the same way.
    const earlier = typeof key === 'string' ? replays.get(key) : undefined
    if (earlier && earlier.request !== call + text)
      return new Refused(400, { type: 'idempotency_error', message: 'Keys can only be used with the same parameters.' })
        .answer
    if (earlier) return earlier.answer
    const fresh = decide(call, Object.fromEntries(new URLSearchParams(text)))
    if (typeof key === 'string') replays.set(key, { request: call + text, answer: fresh })
    return fresh
  }
  function decide(call: string, fields: Fields): Answer {
    try {
      return { status: 200, body: structuredClone(answer(call, fields)) }
    } catch (error) {
      if (error instanceof Refused) return structuredClone(error.answer)
      throw error
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: { host: '127.0.0.1', port: (server.address() as AddressInfo).port, protocol: 'http' },
    objects,
    finishSetup(id, card) {
      const setup = find(id)
      try {
        const method = newMethod(card, String(setup.customer))
        Object.assign(setup, { status: 'succeeded', payment_method: method.id })
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        Object.assign(setup, { last_setup_error: (error.answer.body as { error: unknown }).error })
      }
    },
    finishAction(id) {
      const intent = find(id)
      Object.assign(intent, { status: 'succeeded', amount_received: intent.amount, last_payment_error: null })
    },
    deliver(type, object, secret, at = new Date()) {
      const event = { id: `evt_${++serial}`, object: 'event', type, data: { object } }
      const body = Buffer.from(JSON.stringify(event))
      const timestamp = Math.floor(at.getTime() / 1000)
      const signed = createHmac('sha256', secret).update(`${timestamp}.${body.toString()}`).digest('hex')
      return { body, signature: `t=${timestamp},v1=${signed}` }
    },
    loseAnswers(count) {
      lost = count
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
