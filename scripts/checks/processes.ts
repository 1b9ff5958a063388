/** Runs child processes of a script. When the script is asked to end, they end, and no further ones start. */
import { spawn, type ChildProcess } from 'node:child_process'

const running = new Set<ChildProcess>()
/**
 * Rejections of ended children after the script was asked to end. They run together, so that the script does not exit
 * while another child is still ending.
 */
const interrupted: (() => void)[] = []
let ending = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    ending = true
    process.exitCode = 1
    for (const child of running) child.kill(signal)
    // Without children nothing else would end us.
    if (running.size === 0) process.exit(1)
  })
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
}

/** Throws when the script is asked to end in the meantime, so that the caller ends what else it started and stops. */
export function run(
  program: string,
  args: readonly string[],
  { stdio = 'pipe', env = {} }: RunOptions = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: stdio === 'inherit' ? stdio : ['ignore', stdio, stdio],
      env: { ...process.env, ...env },
    })
    running.add(child)
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
    child.on('close', (code) => end(code ?? 1))
  })
}
