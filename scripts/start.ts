/**
 * `npm start`: prepares the machine, builds the portal, puts up the stand and runs the server on it, again when it
 * dies. Ends on SIGINT and SIGTERM with everything that it started.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError, readConfig, type Config } from '../src/platform/config.ts'
import { ensurePortal } from './portal.ts'
import { startStand, type Stand } from './stand.ts'

/** A server that dies at once, again and again, will not be saved by a seventh try: its words are on the screen. */
const MOST_QUICK_DEATHS = 6
const QUICK_MS = 10_000

const say = (line: string): void => void process.stderr.write(`${line}\n`)

let stopping = false
let server: ChildProcess | undefined
let wake: () => void = () => undefined
const asked = new Promise<void>((resolve) => (wake = resolve))

async function main(): Promise<number> {
  const config = readConfig(process.env, '')
  const [stand] = await Promise.all([startStand(config, say), ensurePortal(say)])
  try {
    return stopping ? 0 : await keepServing(stand, config)
  } finally {
    await stand.stop()
  }
}

async function keepServing(stand: Stand, config: Config): Promise<number> {
  let quickDeaths = 0
  for (;;) {
    const began = performance.now()
    server = spawn(process.execPath, ['src/server.ts'], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...stand.env, ...process.env, ...forced(stand, config) },
    })
    const [code, signal] = (await once(server, 'exit')) as [number | null, NodeJS.Signals | null]
    if (stopping) return code ?? 0
    // It said in words why it cannot start: repeating would only repeat the words.
    if (code === 1 && performance.now() - began < QUICK_MS) return 1
    quickDeaths = performance.now() - began < QUICK_MS ? quickDeaths + 1 : 1
    if (quickDeaths > MOST_QUICK_DEATHS) return code ?? 1
    say(`The server ended (${signal ?? `code ${String(code)}`}); starting it again.`)
    await Promise.race([sleep(250 * quickDeaths), asked])
    if (stopping) return 0
  }
}

/** `auto` becomes what the stand has proved, so that a part that dies later is reported missing and not replaced by a simulator. */
const forced = (stand: Stand, config: Config): Record<string, string> => ({
  ...(config.COMPUTE === 'auto' && stand.env['COMPUTE'] ? { COMPUTE: stand.env['COMPUTE'] } : {}),
  ...(config.EDGE === 'auto' && stand.env['EDGE'] ? { EDGE: stand.env['EDGE'] } : {}),
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopping = true
    server?.kill('SIGTERM')
    wake()
  })
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    say(error instanceof ConfigError || error instanceof Error ? error.message : String(error))
    process.exit(1)
  },
)
