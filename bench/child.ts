/** Runs a server in a separate process, which prints `ready ADDRESS` when it is ready. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Child {
  readonly pid: number
  readonly address: string
  /** Milliseconds from the start of the process to its ready line. */
  readonly readyMs: number
  readonly stop: () => Promise<void>
}

export async function startChild(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Child> {
  const began = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }
  const lines = createInterface({ input: child.stdout })
  for await (const line of lines) {
    const address = /^ready (http:\/\/\S+)$/.exec(line)?.[1]
    if (address) return { pid: child.pid!, address, readyMs: performance.now() - began, stop }
  }
  throw new Error(`${args.join(' ')} ended before it was ready`)
}
