/** A process of `ROLE=hypervisor` or `ROLE=edge` as its unit would run it: the server itself, in a data folder of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'

export interface AgentProcess {
  readonly url: string
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** `env` names what is driven, the database, the secret and the data folder. */
export async function startAgentProcess(
  role: 'hypervisor' | 'edge',
  env: Record<string, string>,
): Promise<AgentProcess> {
  const child = spawn(process.execPath, ['src/main/server.ts'], {
    cwd: path.join(import.meta.dirname, '..'),
    env: { ...process.env, PORT: '0', RELEASE: 'e2e', LOG_LEVEL: 'silent', ...env, ROLE: role },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process of the ${role} ended with ${String(code)} before it was ready`)
  })
  ended.catch(() => undefined)
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout! }), 'line'), ended])) as [string]
  return { url: /^ready (http:\/\/\S+)$/.exec(line)![1]!, end: (signal) => end(child, signal) }
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** The driver of the database takes the socket from the query; an address of a setting needs a host. */
export const asSetting = (databaseUrl: string): string => databaseUrl.replace('@/', '@socket/')
