import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/** The command line of a living process, its arguments separated by spaces; undefined for a zombie or none. */
export async function commandOf(pid: number): Promise<string | undefined> {
  const command = process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid)
  return command === '' ? undefined : command
}

const fromProc = async (pid: number): Promise<string | undefined> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined))?.replaceAll('\0', ' ').trim()

const fromPs = (pid: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    execFile('ps', ['-o', 'command=', '-p', String(pid)], (error, stdout) => resolve(error ? undefined : stdout.trim()))
  })
