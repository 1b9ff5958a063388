/**
 * Sends waiting messages. The unit of work is the endpoint, so one URL gets few parallel requests however many wait,
 * and one that hangs delays no other. After a crash between sending and recording, the message is sent again with the
 * same id.
 */
import type { AccountId } from '../kernel/ids.ts'
import { WebhookFailure } from '../drivers/webhook/index.ts'
import type { Reconciler } from '../platform/reconcile.ts'
import type { WebhooksDeps } from './deps.ts'
import { createHostSlots } from './host-slots.ts'
import { writeMessage, type Message } from './message.ts'
import { recordOutcome, type Outcome } from './outcome.ts'
import { sign, type Secrets } from './signing.ts'
import './tables.ts'

const BATCH = 20
/** Parallel requests to one endpoint, and to all endpoints on one host, whichever customers own them. */
const PER_ENDPOINT = 4
const PER_HOST = 8
const HOST_BUSY_MS = 300
const UNWRITTEN_PAUSE_MS = 5 * 60_000
/** A slow endpoint begins no further message after this, so that it does not keep a slot that others wait for. */
const TURN_MS = 5_000

interface Endpoint extends Secrets {
  readonly id: number
  readonly account_id: AccountId
  readonly url: string
}

export function deliveryReconciler(deps: WebhooksDeps, { turnMs = TURN_MS } = {}): Reconciler {
  const { db, clock, sender, secretKey, config, log } = deps
  const hosts = createHostSlots(PER_HOST)

  const waiting = (endpointId: number) =>
    db
      .selectFrom('webhook_deliveries')
      .select(['id', 'event_id', 'attempts', 'since', 'next_attempt_at'])
      .where('endpoint_id', '=', endpointId)
      .where('state', '=', 'PENDING')
      .orderBy('next_attempt_at')
      .orderBy('id')
  type Waiting = Awaited<ReturnType<ReturnType<typeof waiting>['execute']>>[number]

  const deliver = async (
    endpoint: Endpoint,
    { id: messageId, body }: Message,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    const at = clock.now()
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `${config.PRODUCT_NAME.replaceAll(/[^\x21-\x7e]/g, '')}-Webhooks/1`,
      ...sign(secretKey, endpoint, { id: messageId, body }, at),
    }
    const began = performance.now()
    const since = (): { at: Date; durationMs: number } => ({ at, durationMs: Math.round(performance.now() - began) })
    const none = (error: string): Outcome => ({ ...since(), status: null, error, excerpt: null, retryAfter: null })
    try {
      const answer = await sender.send({ url: endpoint.url, headers, body }, signal)
      return { ...since(), ...answer, error: null }
    } catch (error) {
      if (signal.aborted || !(error instanceof WebhookFailure)) throw error
      return none(error.message)
    }
  }

  /** Null if it cannot be written: our own fault, which neither counts against the endpoint nor delays other messages. */
  const write = async (delivery: Waiting): Promise<Message | null> => {
    try {
      return await writeMessage(deps, db, delivery.event_id)
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, 'cannot write the message of a webhook')
      const now = clock.now()
      await db
        .updateTable('webhook_deliveries')
        .set({
          since: now,
          next_attempt_at: new Date(now.getTime() + UNWRITTEN_PAUSE_MS),
          last_error: 'We could not write this message. We look into it, and try again.',
        })
        .where('id', '=', delivery.id)
        .execute()
      return null
    }
  }

  return {
    name: 'webhook-deliveries',
    everyMs: 3_000,
    concurrency: 32,
    wakes: (changeEvent) => (changeEvent.type === 'webhook' ? changeEvent.id : null),
    async due() {
      const rows = await db
        .selectFrom('webhook_deliveries as delivery')
        .innerJoin('webhook_endpoints as endpoint', 'endpoint.id', 'delivery.endpoint_id')
        .select('endpoint.id')
        .where('delivery.state', '=', 'PENDING')
        .where('delivery.next_attempt_at', '<=', clock.now())
        .where('endpoint.enabled', '=', true)
        .groupBy('endpoint.id')
        .orderBy((eb) => eb.fn.min('delivery.next_attempt_at'))
        .limit(300)
        .execute()
      return rows.map((row) => row.id)
    },
    async reconcile(id, signal) {
      const endpoint = await db
        .selectFrom('webhook_endpoints')
        .select(['id', 'account_id', 'url', 'secret', 'previous_secret', 'previous_until'])
        .where('id', '=', id)
        .where('enabled', '=', true)
        .executeTakeFirst()
      if (!endpoint) return
      const due = await waiting(id).where('next_attempt_at', '<=', clock.now()).limit(BATCH).execute()
      const { hostname } = new URL(endpoint.url)
      const turnEnds = performance.now() + turnMs
      const isOver = (): boolean => stop || signal.aborted || performance.now() > turnEnds
      let stop = false
      let busy = false
      const deliverNext = async (): Promise<void> => {
        for (let next = due.shift(); next && !isOver(); next = due.shift()) {
          const delivery = next
          const message = await write(delivery)
          if (message === null) continue
          const outcome = await hosts.run(hostname, () => deliver(endpoint, message, signal))
          if (outcome === null) {
            busy = true
            return
          }
          const going = await recordOutcome(deps, endpoint, delivery, outcome)
          // If it fails now, it will fail for the next message too. Those wait instead of also failing.
          if (!going || outcome.status === null) stop = true
        }
      }
      // If one lane throws, the others must not keep running after the reconciler returns.
      const lanes = await Promise.allSettled(Array.from({ length: PER_ENDPOINT }, deliverNext))
      const failed = lanes.find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
      if (busy) return { againInMs: HOST_BUSY_MS * (1 + Math.random()) }
      const [next] = await waiting(id).limit(1).execute()
      if (next) return { againInMs: Math.max(stop ? 1_000 : 0, next.next_attempt_at.getTime() - clock.now().getTime()) }
    },
  }
}
