/** Webhooks over transit on its own database, with receivers that are real servers on loopback, for the tests of this slice. */
import { accountIdOf } from '../platform/db/testing.ts'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { createSimulatedEdge } from '../drivers/edge/simulated/index.ts'
import { createHttpsSender } from '../drivers/webhook/https/index.ts'
import { manualClock } from '../kernel/clock.ts'
import type { PublicEventType } from '../kernel/public-events.ts'
import { enqueueWebhookEvents } from '../platform/webhook-outbox.ts'
import type { Reconciler } from '../platform/reconcile.ts'
import { createTransitTestApp } from '../transit/testing.ts'
import type { WebhookEndpointWithSecret } from './contract.ts'
import type { WebhooksDeps } from './deps.ts'
import { webhooksReconcilers, webhooksRoutes } from './index.ts'

export async function createWebhooksTestApp() {
  const transit = await createTransitTestApp(createSimulatedEdge({}))
  const { app, db, call } = transit
  const clock = manualClock(new Date())
  const deps: WebhooksDeps = {
    db,
    clock,
    log: pino({ level: 'silent' }),
    config: { PRODUCT_NAME: 'Longhaul', SUPPORT_EMAIL: 'support@example.net', RELEASE: 'test' },
    publicUrl: () => 'https://portal.example.net',
    secretKey: 'a secret key that only the tests know',
    sender: createHttpsSender({ denied: [], loopback: true, deadlineMs: 400 }),
    transit: transit.deps,
  }
  webhooksRoutes(app, deps)
  const workers = webhooksReconcilers(deps)

  return {
    ...transit,
    clock,
    deps,
    transitDeps: transit.deps,
    /** Adds an endpoint, by default for all events. */
    async addEndpoint(url: string, order: { userId?: number; events?: PublicEventType[] } = {}) {
      const userId = order.userId ?? (await transit.addUser())
      const events = order.events ?? ['connection.changed', 'prefix.requested', 'prefix.status_changed']
      const { status, body } = await call(userId, 'POST', '/api/webhooks', { url, events })
      if (status !== 201) throw new Error(JSON.stringify(body))
      return { userId, endpoint: body as WebhookEndpointWithSecret }
    },
    happen: (userId: number, type: PublicEventType = 'connection.changed') =>
      enqueueWebhookEvents(db, [
        { type, accountId: accountIdOf(userId), subject: { type: 'connection', id: 1 }, data: {} },
      ]),
    /** Runs everything that is due now, once. */
    work: (...others: Reconciler[]) => workOff([...others, ...workers]),
    deliveries: async (userId: number, endpointId: number) => {
      const { body } = await call(userId, 'GET', `/api/webhooks/${endpointId}/deliveries`)
      return body.deliveries as import('./contract.ts').WebhookDelivery[]
    },
  }
}

export async function workOff(reconcilers: readonly Reconciler[]): Promise<void> {
  for (const one of reconcilers) {
    for (const id of await one.due()) await one.reconcile(id, AbortSignal.timeout(20_000))
  }
}

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Starts a server that stores its requests and answers as told, at first with 204. */
export async function startReceiver() {
  const received: Received[] = []
  const receiver = {
    received,
    url: '',
    answer: (response: ServerResponse): unknown => response.writeHead(204).end(),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      receiver.answer(response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  return receiver
}
