import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

export interface Process {
  readonly pid: number
  /** Its arguments separated by spaces, or the title that it set. Zombies have none and are not listed. */
  readonly command: string
}

export async function findProcess(pid: number): Promise<Process | undefined> {
  if (process.platform !== 'linux') return (await listWithPs()).find((entry) => entry.pid === pid)
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  const command = text.replaceAll('\0', ' ').trim()
  return command === '' ? undefined : { pid, command }
}

export async function listProcesses(): Promise<Process[]> {
  if (process.platform !== 'linux') return listWithPs()
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(pids.map((pid) => findProcess(Number(pid))))
  return found.filter((entry) => entry !== undefined)
}

const listWithPs = (): Promise<Process[]> =>
  new Promise((resolve, reject) => {
    execFile('ps', ['-axo', 'pid=,stat=,command='], { maxBuffer: 16 << 20 }, (error, stdout) => {
      if (error) return reject(error)
      const rows = stdout.matchAll(/^\s*(\d+)\s+([^\sZ]\S*)\s+(.+)$/gm)
      resolve(Array.from(rows, ([, pid, , command]) => ({ pid: Number(pid), command: command ?? '' })))
    })
  })
