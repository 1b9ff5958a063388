/**
 * A process that holds a lease, writes to the database ten times a second and sends as often: for leases, it is a
 * worker. Arguments: the URL of the database, the name of the process, the socket that it sends to.
 */
import { createConnection } from 'node:net'
import { once } from 'node:events'
import { sql } from 'kysely'
import { pino } from 'pino'
import { systemClock } from '../../kernel/clock.ts'
import { inTransaction, openDatabase } from '../db/index.ts'
import { createChangeBus } from '../events.ts'
import { runReconciler, type Reconciler } from '../reconcile.ts'
import { fencedDb, guardDriver, holdLease, underLease, type Lease } from './index.ts'

const [url, name, sink] = process.argv.slice(2) as [string, string, string]
const log = pino({ level: 'silent' })
const database = openDatabase({ url, onError: () => undefined })
const fenced = fencedDb(database, systemClock)
const driver = guardDriver({
  async send(what: string): Promise<void> {
    const socket = createConnection({ path: sink })
    socket.end(`${what}\n`)
    await once(socket, 'close')
  },
})
const busy = (epoch: string, step: string, work: () => Promise<unknown>): Reconciler => ({
  name: `${step} ${epoch}`,
  everyMs: 1_000,
  concurrency: 1,
  due: async () => [1],
  wakes: () => null,
  reconcile: async () => {
    await work()
    return { againInMs: 100 }
  },
})
const write = () => sql`insert into writes (by) values (${name})`.execute(fenced)
/** Stays open long enough to be frozen in the middle. */
const hold = () =>
  inTransaction(fenced, async (on) => {
    await sql`insert into writes (by) values (${name})`.execute(on)
    await new Promise((resolve) => setTimeout(resolve, 200))
  })
let work: Promise<unknown> = Promise.resolve()
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const holder = await holdLease({
  url,
  key: 'test',
  process: name,
  clock: systemClock,
  onError: () => undefined,
  onGained: (lease: Lease) => {
    say('holds')
    const steps = [busy(lease.epoch, 'write', write), busy(lease.epoch, 'hold', hold)]
    steps.push(busy(lease.epoch, 'send', () => driver.send(name)))
    const { signal } = lease
    const bus = createChangeBus(log)
    work = Promise.all(steps.map((one) => runReconciler(underLease(one, lease), { bus, log, signal })))
  },
  onLost: async () => {
    say('stops')
    await work
  },
})
process.on('SIGTERM', () => void holder.close().then(() => process.exit(0)))
