/** Runs the server, and restarts it when one of its sources changes. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { createInterface } from 'node:readline'
import { concernsServer } from './concerns-server.ts'

export interface ReloadingOptions {
  readonly env: Readonly<NodeJS.ProcessEnv>
  readonly stop: AbortSignal
  readonly say: (line: string) => void
  /** Called once, when the first server is ready. */
  readonly onReady: () => void
}

/** Saving all files or switching a branch changes many files: within this time they count as one change. */
const QUIET_MS = 120

/** Resolves when it was asked to stop and the last server has ended. */
export async function runReloading({ env, stop, say, onReady }: ReloadingOptions): Promise<void> {
  let ready = false
  let server = start()
  let turn: Promise<void> = Promise.resolve()
  let quiet: NodeJS.Timeout | undefined
  const watcher = watch('src', { recursive: true }, (_event, file) => {
    if (file === null || !concernsServer(file)) return
    clearTimeout(quiet)
    quiet = setTimeout(() => {
      say(`${file} changed.`)
      turn = turn.then(replace)
    }, QUIET_MS)
  })
  if (!stop.aborted) await once(stop, 'abort')
  clearTimeout(quiet)
  watcher.close()
  await turn
  await end(server)

  async function replace(): Promise<void> {
    await end(server)
    if (!stop.aborted) server = start()
  }

  function start(): ChildProcess {
    // The channel tells it when we are gone: otherwise nothing would end it.
    const child = spawn(process.execPath, ['src/main/server.ts'], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env })
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (!line.startsWith('ready ')) return
      if (ready) say('The server runs again.')
      else onReady()
      ready = true
    })
    child.on('exit', (code, signal) => {
      if (code !== 0 && !stop.aborted)
        say(`The server ended (${signal ?? `code ${String(code)}`}); it starts again after the next change.`)
    })
    return child
  }
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill('SIGTERM')
  await gone
}
