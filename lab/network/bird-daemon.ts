import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { BirdControl, expectSuccess } from '../../src/drivers/edge/bird/control.ts'
import { EdgeError } from '../../src/drivers/edge/index.ts'

const run = promisify(execFile)

export interface BirdDaemon {
  readonly namespace: string
  readonly directory: string
  readonly socket: string
  readonly conf: string
}

/**
 * Runs BIRD in a namespace as an independent daemon that outlives us: a killed portal does not take the network down,
 * and the next one finds BIRD on its socket. A running BIRD reloads its file when that has changed.
 */
export async function ensureBird(daemon: BirdDaemon): Promise<void> {
  await mkdir(daemon.directory, { recursive: true })
  const file = `${daemon.directory}/bird.conf`
  const changed = (await readFile(file, 'utf8').catch(() => '')) !== daemon.conf
  if (changed) await writeFile(file, daemon.conf, { mode: 0o640 })
  const running = await connect(daemon.socket)
  if (!running) {
    await run('ip', ['netns', 'exec', daemon.namespace, 'bird', '-c', file, '-s', daemon.socket], { timeout: 10_000 })
    return
  }
  using control = running
  if (changed) expectSuccess(await control.command('configure'))
}

async function connect(socket: string): Promise<BirdControl | null> {
  try {
    return await BirdControl.connect(socket, { restricted: false })
  } catch (error) {
    if (error instanceof EdgeError) return null
    throw error
  }
}
