import { setTimeout as sleep } from 'node:timers/promises'
import type { Customer } from './customer.ts'
import type { TestUser } from './user.ts'
import type { Store } from './store.ts'

const SETTLED = new Set(['RUNNING', 'STOPPED'])

/** Waits until nothing changes any more; throws with what still does. The checks need a settled system. */
export async function settle(
  customers: readonly Customer[],
  staff: TestUser,
  store: Store,
  withinMs: number,
): Promise<void> {
  for (const until = performance.now() + withinMs; ; await sleep(300)) {
    const moving = await whatMoves(customers, staff, store)
    if (moving.length === 0) return
    if (performance.now() > until) throw new Error(`not at rest after ${withinMs / 1000} s: ${moving.join('; ')}`)
  }
}

async function whatMoves(customers: readonly Customer[], staff: TestUser, store: Store): Promise<string[]> {
  const { body: edge } = await staff.demand('GET', '/api/admin/edge')
  const going = await store.rows<{ id: number; desired_state: string }>(
    `select id, desired_state from routers where desired_state = 'absent' or task is not null or due_at is not null`,
  )
  const mails = await store.rows<{ id: number }>(
    'select id from outgoing_mail where sent_at is null and failed_at is null',
  )
  const lists = await Promise.all(
    customers.map(async ({ user }) => (await user.demand('GET', '/api/virtual_machines')).body),
  )
  const routers: { id: number; state: string; failure: string | null }[] = lists.flat()
  return [
    ...(edge.current ? [] : [`the edge: ${edge.error ?? 'has not loaded what is wanted'}`]),
    ...going.map(({ id, desired_state }) => `router ${id} is on its way to ${desired_state}`),
    ...(mails.length > 0 ? [`${mails.length} letters wait`] : []),
    ...routers
      .filter(({ state }) => !SETTLED.has(state))
      .map(({ id, state, failure }) => `router ${id} is ${state} ${failure ?? ''}`),
  ]
}
