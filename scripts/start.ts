/**
 * `npm start`: prepares the machine, builds the portal, starts the local environment and runs the server, again when it
 * dies. On SIGINT, SIGTERM and SIGHUP it ends with everything that it started.
 */
import { ConfigError, readConfig, type Config } from '../src/platform/config.ts'
import { stopUnusedDatabase } from '../src/platform/db/embedded/discard.ts'
import { supervise } from './supervise.ts'
import { ensurePortal } from './portal.ts'
import { startLocalEnvironment, type LocalEnvironment } from './local-environment.ts'

const say = (line: string): void => void process.stderr.write(`${line}\n`)
const stopping = new AbortController()
/** On a terminal, a line for each request would bury what matters; `LOG_LEVEL=info` shows them. */
const QUIET = { LOG_LEVEL: 'warn' }

async function main(): Promise<number> {
  const config = readConfig(process.env, '')
  const portal = ensurePortal(say)
  // Checked below: a failed build of the portal must not leave a local environment running.
  portal.catch(() => undefined)
  const localEnvironment = await startLocalEnvironment(config, say)
  try {
    await portal
    if (stopping.signal.aborted) return 0
    const env = { ...QUIET, ...localEnvironment.env, ...process.env, ...forced(localEnvironment, config) }
    return await supervise({ env, stop: stopping.signal, say })
  } finally {
    // A server that was killed and not restarted has left its database running.
    await stopUnusedDatabase(config.DATA_DIR).catch((error: Error) => say(`While clearing up: ${error.message}`))
    await localEnvironment.stop()
  }
}

/**
 * Replaces `auto` with what the local environment has proved to work. A part that dies later is then reported missing,
 * not replaced by a simulator.
 */
const forced = (localEnvironment: LocalEnvironment, config: Config): Record<string, string> => ({
  ...(config.COMPUTE === 'auto' && localEnvironment.env['COMPUTE'] ? { COMPUTE: localEnvironment.env['COMPUTE'] } : {}),
  ...(config.EDGE === 'auto' && localEnvironment.env['EDGE'] ? { EDGE: localEnvironment.env['EDGE'] } : {}),
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    say(error instanceof ConfigError || error instanceof Error ? error.message : String(error))
    // What we ended ourselves did not fail.
    process.exit(stopping.signal.aborted ? 0 : 1)
  },
)
