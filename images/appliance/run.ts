import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** A fault of the build that a person can mend; the message says how. */
export class BuildError extends Error {
  override readonly name = 'BuildError'
}

/** Which package brings a tool that a host may lack. */
const HOME_OF_TOOL: Readonly<Record<string, string>> = {
  'apt-cache': 'apt',
  'apt-get': 'apt',
  'dpkg-deb': 'dpkg',
  depmod: 'kmod',
}

/** Aborted when the build is asked to end: its tools end too, so that its working folder can be removed. */
export const ending = new AbortController()

/** Runs a tool with an argument array and returns what it printed. */
export async function run(
  tool: string,
  args: readonly string[],
  options: { cwd?: string; deadlineMs?: number } = {},
): Promise<string> {
  try {
    const { stdout } = await execute(tool, args, {
      cwd: options.cwd,
      signal: ending.signal,
      timeout: options.deadlineMs ?? 120_000,
      maxBuffer: 64 << 20,
      env: {
        ...process.env,
        LC_ALL: 'C',
        DEBIAN_FRONTEND: 'noninteractive',
        PATH: `${process.env['PATH']}:/usr/sbin:/sbin`,
      },
    })
    return stdout
  } catch (error) {
    if (ending.signal.aborted) throw new BuildError('it was asked to end')
    const { code, stderr } = error as { code?: unknown; stderr?: string }
    const home = HOME_OF_TOOL[tool]
    if (code === 'ENOENT')
      throw new BuildError(`${tool} is missing on this machine${home === undefined ? '' : `: apt-get install ${home}`}`)
    throw new BuildError(`${tool} ${args.slice(0, 2).join(' ')} failed: ${stderr?.trim().slice(-600) || String(error)}`)
  }
}
