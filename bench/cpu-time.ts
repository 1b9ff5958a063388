/**
 * Processor time of a server and all its processes, as the kernel counts it: the load on a core, not the waiting time.
 */
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from '../src/platform/db/index.ts'

/** /proc counts in hundredths of a second: USER_HZ is 100 on every port of Linux. */
const MS_PER_TICK = 10

/** Returns milliseconds of a process and its children, including children that have ended. */
export async function cpuOfServer(pid: number): Promise<number> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  let ticks = 0
  for (const name of names) {
    // A process may end while it is being read.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    // The name in brackets may contain anything; what follows it are numbers (proc(5)).
    const [, parent, , , , , , , , , , user, system, endedUser, endedSystem] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    if (Number(name) === pid) ticks += user! + system! + endedUser! + endedSystem!
    else if (parent === pid) ticks += user! + system!
  }
  return ticks * MS_PER_TICK
}

/** Returns milliseconds of this process and of the database's during the work. */
export async function counted(postmaster: number, work: () => Promise<void>): Promise<number> {
  const before = await cpuOfServer(postmaster)
  const own = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(own)
  return (await cpuOfServer(postmaster)) - before + (user + system) / 1_000
}

/** Returns the name of its database, and the parent of all of its processes. */
export async function describeServer(db: Db): Promise<{ name: string; postmaster: number }> {
  const { rows } = await sql<{ name: string; backend: number }>`
    select current_database() as name, pg_backend_pid() as backend`.execute(db)
  const { name, backend } = rows[0]!
  const parent = /^PPid:\s+(\d+)$/m.exec(await readFile(`/proc/${backend}/status`, 'utf8'))![1]
  return { name, postmaster: Number(parent) }
}
