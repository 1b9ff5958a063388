import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { BirdDaemon } from './bird-daemon.ts'

const run = promisify(execFile)
const DEADLINE_MS = 10_000
/** Debian's service creates it; bgpd changes its root to it. */
const CHROOT = '/run/openbgpd'

/**
 * Runs bgpd in a namespace as an independent daemon that outlives us. A running one reloads its file when that has
 * changed.
 */
export async function ensureOpenbgpd(daemon: BirdDaemon): Promise<void> {
  await mkdir(daemon.directory, { recursive: true })
  await mkdir(CHROOT, { recursive: true, mode: 0o755 })
  const file = `${daemon.directory}/bgpd.conf`
  const changed = (await readFile(file, 'utf8').catch(() => '')) !== daemon.conf
  if (changed) await writeFile(file, daemon.conf, { mode: 0o600 })
  if (!(await answers(daemon.socket))) {
    await run('ip', ['netns', 'exec', daemon.namespace, 'bgpd', '-f', file], { timeout: DEADLINE_MS, cwd: '/' })
    // It goes to the background before its socket exists.
    for (const deadline = Date.now() + DEADLINE_MS; !(await answers(daemon.socket)); await sleep(50))
      if (Date.now() > deadline) throw new Error(`bgpd does not answer at ${daemon.socket}: its log says why.`)
  } else if (changed) await bgpctl(daemon.socket, 'reload')
}

const answers = (socket: string): Promise<boolean> =>
  bgpctl(socket, 'show', 'summary', 'terse').then(
    () => true,
    () => false,
  )

const bgpctl = (socket: string, ...args: string[]) => run('bgpctl', ['-s', socket, ...args], { timeout: DEADLINE_MS })
