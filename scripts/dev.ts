/**
 * `npm run dev`: the local environment of `npm start` with a server that restarts when its sources change. Vite serves
 * the portal and updates the open page. One address for both; Vite proxies API requests.
 */
import { readConfig } from '../src/platform/config.ts'
import { startEmbedded } from '../src/platform/db/embedded.ts'
import { findFreePort } from './dev/free-port.ts'
import { runReloading } from './dev/reloading-server.ts'
import { startVite } from './dev/vite.ts'
import { startLocalEnvironment } from './local-environment.ts'

const say = (line: string): void => void process.stderr.write(`${line}\n`)
const stopping = new AbortController()

async function main(): Promise<void> {
  const config = readConfig(process.env, '')
  const undo: (() => Promise<void>)[] = []
  try {
    const localEnvironment = await startLocalEnvironment(config, say)
    undo.push(() => localEnvironment.stop())
    if (!config.DATABASE_URL) {
      // Kept here, so that it does not stop and start with each change.
      const database = await startEmbedded({ dataDir: config.DATA_DIR, onProgress: say })
      undo.push(() => database.stop())
    }
    const api = await findFreePort('127.0.0.1')
    const port = config.PORT === 0 ? await findFreePort(config.HOST) : config.PORT
    const vite = await startVite({ host: config.HOST, port, api: `http://127.0.0.1:${api}` })
    undo.push(() => vite.stop())
    await runReloading({
      env: {
        ...localEnvironment.env,
        PUBLIC_URL: vite.url,
        // Users reach Vite, so the demonstration is on if Vite is reachable from this machine only.
        ...(config.loopback ? {} : { DEMO: 'off' }),
        ...process.env,
        HOST: '127.0.0.1',
        PORT: String(api),
      },
      stop: stopping.signal,
      say,
      onReady: () => process.stdout.write(`ready ${vite.url}\n`),
    })
  } finally {
    for (const step of undo.toReversed()) {
      await step().catch((error: unknown) =>
        say(`While clearing up: ${error instanceof Error ? error.message : String(error)}`),
      )
    }
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())

main().then(
  () => process.exit(0),
  (error: unknown) => {
    say(error instanceof Error ? error.message : String(error))
    process.exit(1)
  },
)
