import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { BirdDaemon } from './bird-daemon.ts'

const run = promisify(execFile)
const DEADLINE_MS = 10_000
/** Debian's service makes it; bgpd locks itself in there. */
const CHROOT = '/run/openbgpd'

/** A bgpd in a namespace, as a daemon of its own that outlives us. One that runs already reads its file again when that changed. */
export async function ensureOpenbgpd(daemon: BirdDaemon): Promise<void> {
  await mkdir(daemon.directory, { recursive: true })
  await mkdir(CHROOT, { recursive: true, mode: 0o755 })
  const file = `${daemon.directory}/bgpd.conf`
  const changed = (await readFile(file, 'utf8').catch(() => '')) !== daemon.conf
  if (changed) await writeFile(file, daemon.conf, { mode: 0o600 })
  if (!(await answers(daemon.socket))) {
    await run('ip', ['netns', 'exec', daemon.namespace, 'bgpd', '-f', file], { timeout: DEADLINE_MS, cwd: '/' })
    // It is in the background before its socket is there.
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
