/** Runs child processes of a script. When the script is asked to end, they end, and no further ones start. */
import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** A product needs up to twenty seconds to stop on SIGTERM, and a frozen process never does. */
const KILL_AFTER_MS = 30_000
/** npm and its shell pass a signal on that the terminal has also sent to us: within this time it is the same request. */
const SAME_REQUEST_MS = 1_000

/** Each child with its `teardownMs`. */
const running = new Map<ChildProcess, number>()
/**
 * Rejections of ended children after the script was asked to end. They run together, so that the script does not exit
 * while another child is still ending.
 */
const interrupted: (() => void)[] = []
let ending = false
let askedAt = 0

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    const first = !ending
    if (!first && performance.now() - askedAt < SAME_REQUEST_MS) return
    ending = true
    askedAt = performance.now()
    process.exitCode = 1
    for (const [child, teardownMs] of running) {
      if (teardownMs === 0) child.kill(signal)
      else if (first) endInOrder(child, teardownMs)
      else void endGroup(child)
    }
    // Without children nothing else would end us.
    if (running.size === 0) process.exit(1)
  })
}

function endInOrder(child: ChildProcess, teardownMs: number): void {
  console.error(
    `Ending the tests: they get ${teardownMs / 1000} seconds to remove what they made. A second signal ends them at once.`,
  )
  // A child that has just ended takes no message.
  child.send('end', () => undefined)
  setTimeout(() => running.has(child) && void endGroup(child), teardownMs).unref()
}

/** Ends the child's process group: the child, and what its tests had started. */
async function endGroup({ pid }: ChildProcess): Promise<void> {
  if (!signalGroup(pid!, 'SIGTERM')) return
  for (const end = performance.now() + KILL_AFTER_MS; signalGroup(pid!, 0); await sleep(100))
    if (performance.now() > end) {
      signalGroup(pid!, 'SIGKILL')
      return
    }
}

/** Returns false if the group has no process left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

export interface Ended {
  readonly code: number
  /** Its output, unless that was inherited. */
  readonly output: string
}

interface RunOptions {
  readonly stdio?: 'pipe' | 'inherit'
  /** Added to our own environment. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * When the script is asked to end, the child receives a message instead of the signal, and its process group is killed
   * after this time. By default a child receives the signal.
   */
  readonly teardownMs?: number
}

/** Throws when the script is asked to end in the meantime, so that the caller ends what else it started and stops. */
export function run(
  program: string,
  args: readonly string[],
  { stdio = 'pipe', env = {}, teardownMs = 0 }: RunOptions = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: teardownMs > 0 ? ['ignore', stdio, stdio, 'ipc'] : stdio === 'inherit' ? stdio : ['ignore', stdio, stdio],
      env: { ...process.env, ...env },
      // The terminal sends SIGINT to our whole process group. A group of its own keeps it from tests that clean up.
      detached: teardownMs > 0,
    })
    running.set(child, teardownMs)
    const chunks: Buffer[] = []
    const keep = (chunk: Buffer): void => void chunks.push(chunk)
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    const end = (code: number, words = ''): void => {
      running.delete(child)
      if (!ending) return resolve({ code, output: Buffer.concat(chunks).toString('utf8') + words })
      interrupted.push(() => reject(new Error('Interrupted.')))
      if (running.size === 0) for (const notifyWatcher of interrupted) notifyWatcher()
    }
    child.on('error', (error) => end(1, `${program}: ${error.message}`))
    let ended = false
    child.on('exit', (code) => {
      if (!ending || teardownMs === 0) return
      ended = true
      // What a test that was interrupted had started still runs, and would keep our pipe open.
      void endGroup(child).then(() => end(code ?? 1))
    })
    child.on('close', (code) => {
      if (!ended) end(code ?? 1)
    })
  })
}
