/** Child processes of a script: they end when it is asked to. */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'

const running = new Set<ChildProcess>()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    process.exitCode = 1
    for (const child of running) child.kill(signal)
    // Without children there is nothing that would end us.
    if (running.size === 0) process.exit(1)
  })
}

export interface Ended {
  readonly code: number
  /** What it printed, where that was not inherited. */
  readonly output: string
}

export function run(
  program: string,
  args: readonly string[],
  stdio: StdioOptions = ['ignore', 'pipe', 'pipe'],
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio })
    running.add(child)
    const chunks: Buffer[] = []
    const keep = (chunk: Buffer): void => void chunks.push(chunk)
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    const end = (code: number, words = ''): void => {
      running.delete(child)
      resolve({ code, output: Buffer.concat(chunks).toString('utf8') + words })
    }
    child.on('error', (error) => end(1, `${program}: ${error.message}`))
    child.on('close', (code) => end(code ?? 1))
  })
}
