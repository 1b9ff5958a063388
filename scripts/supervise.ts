/**
 * Runs the server, and again when it dies, at the same address, so that open pages keep working. Prints the one `ready`
 * line once.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server that was never ready and keeps dying will not be saved by a seventh try. */
const MOST_FAILURES = 6
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 15_000

export interface SuperviseOptions {
  readonly env: Readonly<NodeJS.ProcessEnv>
  /** When aborted, the server is asked to end and is not restarted. */
  readonly stop: AbortSignal
  readonly say: (line: string) => void
}

/** Resolves with the exit code of the last server, when it was asked to stop or cannot start at all. */
export async function supervise({ env, stop, say }: SuperviseOptions): Promise<number> {
  let port: string | undefined
  let failures = 0
  for (;;) {
    const life = await runServer({ ...env, ...(port && { PORT: port }) }, stop)
    if (stop.aborted) return life.code ?? 0
    if (life.port !== undefined) failures = 0
    else failures++
    port ??= life.port
    // It has printed why it cannot start. Once it has been ready, a later problem may be temporary.
    if (port === undefined && (life.code === 1 || failures > MOST_FAILURES)) return life.code ?? 1
    say(`The server ended (${life.signal ?? `code ${String(life.code)}`}); starting it again.`)
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)
    await sleep(pause, undefined, { signal: stop }).catch(() => undefined)
    if (stop.aborted) return 0
  }

  async function runServer(environment: NodeJS.ProcessEnv, signal: AbortSignal) {
    // The channel tells it when we are gone: otherwise nothing would end it.
    const server = spawn(process.execPath, ['src/main/server.ts'], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: environment,
    })
    const end = (): void => void server.kill('SIGTERM')
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    let readyAt: string | undefined
    createInterface({ input: server.stdout! }).on('line', (line) => {
      readyAt = /^ready http:\/\/\S+:(\d+)$/.exec(line)?.[1] ?? readyAt
      if (port === undefined) process.stdout.write(`${line}\n`)
      else say('The server runs again.')
    })
    const [code, ended] = (await once(server, 'exit')) as [number | null, NodeJS.Signals | null]
    signal.removeEventListener('abort', end)
    return { code, signal: ended, port: readyAt }
  }
}
