/**
 * Names of processes that other processes on the same machine can look up, so that a killed holder is replaced at once.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Boot id, PID namespace, PID, start time (clock ticks since boot), and 16 random characters. Without /proc only the
 * last.
 */
export function newHolder(): string {
  const token = randomBytes(8).toString('hex')
  const started = readStat(process.pid)?.started
  const machine = readMachine()
  return machine && started ? `${machine}/${process.pid}/${started}/${token}` : token
}

/** True only when it is certain: it ran on this machine, since its last boot, and no such process exists. */
export function isDead(holder: string): boolean {
  const parts = holder.split('/')
  const [boot, namespace, pid, started] = parts
  if (parts.length !== 5 || `${boot}/${namespace}` !== readMachine()) return false
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    // A process of another user, or hidden from us, gives EPERM.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true
  }
  const stat = readStat(Number(pid))
  return stat !== null && (stat.ended || stat.started !== started)
}

function readMachine(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

/** proc_pid_stat(5): the third field is the state, the 22nd the start time. A zombie counts as ended. */
function readStat(pid: number): { ended: boolean; started: string } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return { ended: fields[0] === 'Z' || fields[0] === 'X', started: fields[19]! }
  } catch {
    return null
  }
}
