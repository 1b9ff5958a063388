/** Runs an agent of a hypervisor or an edge as its unit would, in a separate data folder. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'

export interface AgentProcess {
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** `env` has all of its settings: an agent gets none of the portal's. Resolves once it is enrolled. */
export async function startAgentProcess(env: Readonly<Record<string, string>>): Promise<AgentProcess> {
  const child = spawn(process.execPath, ['src/agent/main.ts'], {
    cwd: path.join(import.meta.dirname, '..'),
    env: { PATH: process.env['PATH'], RELEASE: 'e2e', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the agent ended with ${String(code)} before it was enrolled`)
  })
  ended.catch(() => undefined)
  await Promise.race([once(createInterface({ input: child.stdout! }), 'line'), ended])
  return { end: (signal) => end(child, signal) }
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}
