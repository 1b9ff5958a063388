/** Runs Vite's server in a separate process: in ours it would end us on SIGTERM before we have cleaned up. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Vite {
  readonly url: string
  stop(): Promise<void>
}

const READY_WITHIN_MS = 60_000

export async function startVite(options: { host: string; port: number; api: string }): Promise<Vite> {
  const { host, port, api } = options
  const program = path.join('node_modules', 'vite', 'bin', 'vite.js')
  const args = [program, '--host', host, '--port', String(port), '--strictPort', '--logLevel', 'warn']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 2, 2], env: { ...process.env, API_URL: api } })
  const gone = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await gone
  }
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const url = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
  for (const until = performance.now() + READY_WITHIN_MS; performance.now() < until; await sleep(100)) {
    if (child.exitCode !== null) throw new Error('Vite did not start; the reason is above.')
    if (await answers(url)) return { url, stop }
  }
  await stop()
  throw new Error(`Vite does not answer at ${url}.`)
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  )
