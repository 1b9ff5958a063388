/** Checks that rows, machines and the edge agree, and that nothing is left of what was deleted. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { ConfigSlots } from '../../src/drivers/edge/slots.ts'
import type { EdgeDriver } from '../../src/drivers/edge/index.ts'
import type { Hypervisor } from '../../src/drivers/hypervisor/index.ts'
import type { Customer } from './customer.ts'
import { differences } from './differences.ts'
import type { Store } from './store.ts'

/** Machines, leases and usage periods: one for each router, none without. */
export async function orphanedMachines(store: Store, hypervisor: Hypervisor): Promise<string[]> {
  const routers = await store.rows<{ id: number; uuid: string; desired_state: string; reachable: boolean }>(
    'select id, uuid, desired_state, reachable_at is not null as reachable from routers',
  )
  const leases = await store.rows<{ router_id: number; host_number: number }>(
    'select router_id, host_number from address_leases',
  )
  const usagePeriods = await store.rows<{ router_id: number }>(
    'select router_id from router_usage_periods where ended_at is null',
  )
  const charged = new Set(usagePeriods.map((usagePeriod) => usagePeriod.router_id))
  const doubled = await store.rows<{ router_id: number }>(
    `select a.router_id from router_usage_periods a join router_usage_periods b on a.router_id = b.router_id and a.id < b.id
     where tstzrange(a.started_at, a.ended_at) && tstzrange(b.started_at, b.ended_at)`,
  )
  const machines = await hypervisor.list()
  return [
    ...differences(
      'machines',
      routers.map(({ uuid, desired_state }) => `${uuid} ${desired_state === 'running' ? 'running' : 'off'}`),
      machines.map(({ uuid, state }) => `${uuid} ${state}`),
    ),
    ...differences(
      'leases, by router',
      routers.map(({ id }) => String(id)),
      leases.map((lease) => String(lease.router_id)),
    ),
    ...differences(
      'leases, by host number',
      new Set(leases.map((lease) => String(lease.host_number))),
      leases.map((lease) => String(lease.host_number)),
    ),
    ...differences(
      'routers that answered once and are not charged',
      [],
      routers.filter(({ id, reachable }) => reachable && !charged.has(id)).map(({ id }) => String(id)),
    ),
    ...differences(
      'routers that are gone and still charged',
      [],
      [...charged].filter((id) => !routers.some((router) => router.id === id)).map(String),
    ),
    ...doubled.map((usagePeriod) => `router ${usagePeriod.router_id} is charged twice for the same time`),
  ]
}

/** Compares what the edge accepts from each customer with what staff approved, and checks that it runs its files. */
export async function orphanedFilters(
  store: Store,
  edge: EdgeDriver,
  directory: string,
  customers: readonly Customer[],
): Promise<string[]> {
  const connections = await store.rows<{ id: number; email: string; carried: boolean }>(
    `select c.id, u.email, r.id is not null as carried from transit_connections c
     join users u on u.account_id = c.account_id left join routers r on r.id = c.router_id and r.desired_state <> 'absent'`,
  )
  const idOf = new Map(connections.map(({ id, email }) => [email, id]))
  const files = await readdir(path.join(directory, 'live', 'customers'))
  const texts = new Map<number, string>()
  for (const file of files)
    texts.set(Number(/\d+/.exec(file)![0]), await readFile(path.join(directory, 'live', 'customers', file), 'utf8'))
  const sessions = new Set((await edge.sessions()).map((session) => String(session.customerId)))
  const { generation } = await edge.running()
  const slots = new ConfigSlots(directory)
  const live = await slots.live()
  const carried = connections.filter((one) => one.carried).map((one) => String(one.id))
  return [
    ...differences('filters, by connection', carried, [...texts.keys()].map(String)),
    ...differences('sessions on the edge, by connection', carried, sessions),
    ...((await slots.holding(generation)) === live ? [] : [`the edge runs ${generation}, its files say otherwise`]),
    ...customers.flatMap((customer) => {
      const approved = [...customer.prefixes].filter(([, prefix]) => prefix.status === 'APPROVED')
      const text = texts.get(idOf.get(customer.email)!) ?? ''
      return differences(
        `filter of ${customer.email}`,
        customer.carrier === null ? [] : approved.map(([value]) => value),
        acceptedIn(text),
      )
    }),
  ]
}

/**
 * Returns the prefixes of the lists that match exactly; those of host routes, for blackholes, have a range of lengths.
 */
const acceptedIn = (text: string): string[] =>
  [...text.matchAll(/net ~ \[ ([^\]]*) \]/g)]
    .flatMap((match) => match[1]!.split(', '))
    .filter((prefix) => !prefix.includes('{'))

/** Returns what was begun in the database and never finished. */
export async function unfinished(store: Store): Promise<string[]> {
  const mails = await store.rows<{ to_address: string }>('select to_address from outgoing_mail where sent_at is null')
  const keys = await store.rows<{ key: string }>('select key from idempotency_keys where status is null')
  const imported = await store.rows<{ value: string }>(
    `select value::text from transit_prefixes where status <> 'APPROVED' and imported_at is not null`,
  )
  return [
    ...mails.map((mail) => `a letter to ${mail.to_address} was not sent`),
    ...keys.map(({ key }) => `the request under the key ${key} has no answer`),
    ...imported.map(({ value }) => `${value} counts as held by the edge and is not approved`),
  ]
}
