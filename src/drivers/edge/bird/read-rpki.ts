import { EdgeError, type EdgeRpki } from '../index.ts'
import { expectSuccess, type BirdControl } from './control.ts'
import type { Reply } from './reply.ts'

/** Up also while it synchronizes with its cache. Any other status means an error, or no connection. */
const UP = /^(Established|Sync-)/

/** Returns BIRD's RTR sessions, and the size of the two tables that the policy uses. */
export async function readRpki(control: BirdControl): Promise<EdgeRpki> {
  const caches = parseCaches(expectSuccess(await control.command('show protocols')))
  let vrps = 0
  for (const table of ['rpki4', 'rpki6']) vrps += await countTable(control, table)
  return { vrps, caches }
}

/** `validator1 RPKI       ---        up     2026-11-21T01:50:29+0000  Established` */
export function parseCaches(reply: Reply): EdgeRpki['caches'] {
  return reply.lines.flatMap(({ text }) => {
    const [, name, status] = /^\s*([A-Za-z_]\w{0,63})\s+RPKI\s+\S+\s+\S+\s+\S+(?:\s+(\S{1,60}))?\s*$/.exec(text) ?? []
    return name === undefined ? [] : [{ name, up: UP.test(status ?? ''), status: status ?? 'Down' }]
  })
}

/** `4 of 4 routes for 2 networks in table rpki4`: the same VRP from two caches is two routes for one network. */
async function countTable(control: BirdControl, table: string): Promise<number> {
  const { lines } = expectSuccess(await control.command(`show route table ${table} count`))
  const [count] = lines.flatMap(({ text }) => /^\d+ of \d+ routes for (\d{1,9}) networks/.exec(text)?.[1] ?? [])
  if (count === undefined) throw new EdgeError('internal', `BIRD does not say how many VRPs are in ${table}.`)
  return Number(count)
}
