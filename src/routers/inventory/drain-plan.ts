/**
 * Lists what is left on a host, and what can become of each router. No driver of this release can carry a disk from one
 * host to another, so nothing is moved from here. The plan names where there is room, and what a person has to do.
 */
import type { Db } from '../../platform/db/index.ts'
import { readHypervisors } from '../capacity.ts'
import { afterTaking, choosePlacement, type Host, type Need } from '../placement.ts'
import type { RouterState } from '../states.ts'
import type { HypervisorDrain } from './contract.ts'
import { findHypervisor } from './hypervisors.ts'

/** More than anyone moves by hand in a day. */
const MOST = 500
/** A plan for now leaves out hosts that are only awaited. */
const LONG_AGO = new Date(0)

export async function planDrain(db: Db, leased: readonly string[], id: number): Promise<HypervisorDrain> {
  const hypervisor = await findHypervisor(db, id)
  const { drained_from: began } = await db
    .selectFrom('hypervisors')
    .select('drained_from')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('routers')
    .innerJoin('users', 'users.account_id', 'routers.account_id')
    .select(['routers.id', 'name', 'state', 'purge_at', 'cpus', 'memory', 'disk_size'])
    .select(['users.id as user_id', 'first_name', 'last_name', 'email'])
    .where('hypervisor_id', '=', id)
    .orderBy('routers.id', 'desc')
    .limit(MOST)
    .execute()
  const hosts = (await readHypervisors(db, hypervisor.site.id, { leased, now: LONG_AGO })).filter(
    (host) => host.id !== id && host.leased,
  )
  const names = new Map(
    (await db.selectFrom('hypervisors').select(['id', 'name']).execute()).map((row) => [row.id, row.name]),
  )
  const room = new Map(hosts.map((host) => [host.id, host]))
  return {
    hypervisor,
    began,
    routers: rows.map((row) => {
      const need = { cpus: row.cpus, memory: row.memory, disk: row.disk_size }
      const target = row.state === 'DELETING' ? null : takeRoom(room, need)
      return {
        id: row.id,
        name: row.name,
        state: row.state,
        size: need,
        user: { id: row.user_id, firstName: row.first_name, lastName: row.last_name, email: row.email },
        target: target === null ? null : { id: target, name: names.get(target)! },
        blocker: explainStay(row, target !== null, hosts.length),
      }
    }),
  }
}

/** Each router that gets a place takes it from those after it. */
function takeRoom(room: Map<number, Host>, need: Need): number | null {
  const host = choosePlacement([...room.values()], need)
  if (!host) return null
  room.set(host.id, afterTaking(host, need))
  return host.id
}

interface Staying {
  readonly state: RouterState
  readonly purge_at: Date | null
}

function explainStay({ state, purge_at: purgeAt }: Staying, hasRoom: boolean, others: number): string {
  if (purgeAt) return `Deleted; removed automatically on ${purgeAt.toISOString().slice(0, 10)}, unless it is restored.`
  if (state === 'DELETING') return 'Being deleted; no action needed.'
  if (others === 0) return 'No other hypervisor at this site.'
  if (!hasRoom) return 'No other hypervisor at this site has capacity for it.'
  return 'There is capacity, but live migration isn’t supported yet: the owner has to order a new router there.'
}
