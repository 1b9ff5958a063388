/** Processor time as the kernel counts it, of a server and all its processes: what they take from a core, not how long one waits. */
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Db } from '../src/platform/db/index.ts'

/** /proc counts in hundredths of a second: USER_HZ is 100 on every port of Linux. */
const MS_PER_TICK = 10

/** Milliseconds of a process and its children, those among them that have ended included. */
export async function cpuOfServer(pid: number): Promise<number> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  let ticks = 0
  for (const name of names) {
    // A process may end while one looks.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    // The name in brackets may hold anything; what follows it are numbers (proc(5)).
    const [, parent, , , , , , , , , , user, system, endedUser, endedSystem] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    if (Number(name) === pid) ticks += user! + system! + endedUser! + endedSystem!
    else if (parent === pid) ticks += user! + system!
  }
  return ticks * MS_PER_TICK
}

/** Milliseconds of this process and of the database's while the work lasts. */
export async function counted(postmaster: number, work: () => Promise<void>): Promise<number> {
  const before = await cpuOfServer(postmaster)
  const own = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(own)
  return (await cpuOfServer(postmaster)) - before + (user + system) / 1_000
}

/** The name of its database, and the process that all of its processes are children of. */
export async function describeServer(db: Db): Promise<{ name: string; postmaster: number }> {
  const { rows } = await sql<{ name: string; backend: number }>`
    select current_database() as name, pg_backend_pid() as backend`.execute(db)
  const { name, backend } = rows[0]!
  const parent = /^PPid:\s+(\d+)$/m.exec(await readFile(`/proc/${backend}/status`, 'utf8'))![1]
  return { name, postmaster: Number(parent) }
}
