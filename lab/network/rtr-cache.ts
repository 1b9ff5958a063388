import { spawn, type ChildProcess } from 'node:child_process'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inNamespace, namespacePids } from './ip.ts'

export interface RtrCache {
  readonly namespace: string
  readonly port: number
  /** Folder that contains vrps.json. */
  readonly data: string
  readonly log: string
  /** Where the process id is recorded for the next owner. */
  readonly runDirectory: string
}

const MAIN = fileURLToPath(new URL('../sources/main.ts', import.meta.url))

/** Runs the validator beside the edge, inside its namespace; it outlives us as BIRD does. */
export async function ensureRtrCache(cache: RtrCache): Promise<void> {
  const args = [MAIN, '--only', 'rtr', '--data', cache.data, '--rtr-port', String(cache.port), '--host', '127.0.0.1']
  const pidFile = join(cache.runDirectory, 'rtr.json')
  const known = parseNote(await readFile(pidFile, 'utf8').catch(() => ''))
  const alive = known !== null && (await namespacePids(cache.namespace)).includes(known.pid)
  if (alive && known.args.join('\0') === args.join('\0')) return
  if (alive) process.kill(known.pid, 'SIGTERM')
  const log = await open(cache.log, 'a')
  try {
    // `ip netns exec` becomes the process it starts, so the pid is the cache's own.
    const child = spawn('ip', ['netns', 'exec', cache.namespace, process.execPath, ...args], {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    child.unref()
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
    await writeFile(pidFile, JSON.stringify({ pid: child.pid, args }))
    await untilListening(cache, child)
  } finally {
    await log.close()
  }
}

async function untilListening(cache: RtrCache, child: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(50)) {
    if (child.exitCode !== null) break
    const sockets = await inNamespace(cache.namespace, 'ss', '-Hltn')
    if (sockets.includes(`127.0.0.1:${cache.port} `)) return
  }
  throw new Error(`The RTR cache beside the edge did not start: ${cache.log} says why.`)
}

function parseNote(text: string): { pid: number; args: string[] } | null {
  if (text === '') return null
  return JSON.parse(text) as { pid: number; args: string[] }
}
