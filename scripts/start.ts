/**
 * `npm start`: prepares the machine, builds the portal, puts up the stand and runs the server on it, again when it
 * dies. Ends on SIGINT, SIGTERM and SIGHUP with everything that it started.
 */
import { ConfigError, readConfig, type Config } from '../src/platform/config.ts'
import { stopUnusedDatabase } from '../src/platform/db/embedded/discard.ts'
import { supervise } from './supervise.ts'
import { ensurePortal } from './portal.ts'
import { startLocalEnvironment, type LocalEnvironment } from './local-environment.ts'

const say = (line: string): void => void process.stderr.write(`${line}\n`)
const stopping = new AbortController()
/** In front of a person a line for each request would bury what matters; `LOG_LEVEL=info` shows them. */
const QUIET = { LOG_LEVEL: 'warn' }

async function main(): Promise<number> {
  const config = readConfig(process.env, '')
  const portal = ensurePortal(say)
  // Looked at below: a portal that cannot be built must not leave a stand behind.
  portal.catch(() => undefined)
  const localEnvironment = await startLocalEnvironment(config, say)
  try {
    await portal
    if (stopping.signal.aborted) return 0
    const env = { ...QUIET, ...localEnvironment.env, ...process.env, ...forced(localEnvironment, config) }
    return await supervise({ env, stop: stopping.signal, say })
  } finally {
    // A server that was killed and not started again has left its database running.
    await stopUnusedDatabase(config.DATA_DIR).catch((error: Error) => say(`While clearing up: ${error.message}`))
    await localEnvironment.stop()
  }
}

/** `auto` becomes what the stand has proved, so that a part that dies later is reported missing and not replaced by a simulator. */
const forced = (localEnvironment: LocalEnvironment, config: Config): Record<string, string> => ({
  ...(config.COMPUTE === 'auto' && localEnvironment.env['COMPUTE'] ? { COMPUTE: localEnvironment.env['COMPUTE'] } : {}),
  ...(config.EDGE === 'auto' && localEnvironment.env['EDGE'] ? { EDGE: localEnvironment.env['EDGE'] } : {}),
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    say(error instanceof ConfigError || error instanceof Error ? error.message : String(error))
    process.exit(1)
  },
)
