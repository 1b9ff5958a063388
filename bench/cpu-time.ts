/** Processor time as the kernel counts it, of a server and all its processes: what they take from a core, not how long one waits. */
import { readdir, readFile } from 'node:fs/promises'

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
