import { spawn } from 'node:child_process'
import { once } from 'node:events'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a build under this Node, with its output on standard error, and returns whether it succeeded. It ends when we
 * are asked to end: otherwise it would outlive a script that exits, and delay one that waits for it.
 */
export async function runBuild(args: readonly string[], env = process.env): Promise<boolean> {
  const build = spawn(process.execPath, args, { env, stdio: ['ignore', 2, 2] })
  const end = (): void => void build.kill('SIGTERM')
  for (const event of [...SIGNALS, 'exit']) process.on(event, end)
  const [code] = (await once(build, 'exit')) as [number | null]
  for (const event of [...SIGNALS, 'exit']) process.off(event, end)
  return code === 0
}
