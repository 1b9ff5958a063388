import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { ip } from './ip.ts'

const run = promisify(execFile)

/** Returns why the lab's network cannot be created on this machine, with advice; null when it can. */
export async function labSkipReason(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'network namespaces need root: run as root'
  for (const [program, pkg] of [
    ['ip', 'iproute2'],
    ['bird', 'bird2'],
  ] as const)
    if (!(await answers(program))) return `${program} is not installed: install the package ${pkg}`
  const probe = `lh-probe-${randomBytes(3).toString('hex')}`
  try {
    await ip('netns', 'add', probe)
    await ip('-netns', probe, 'link', 'add', 'probe', 'type', 'bridge')
    return null
  } catch (error) {
    return `the kernel refuses network namespaces or bridges here: ${(error as Error).message.trim().split('\n').at(-1)}`
  } finally {
    await ip('netns', 'delete', probe).catch(() => {})
  }
}

/** Returns why the lab's edge cannot be an OpenBGPD on this machine; null when it can. */
export const openbgpdSkipReason = async (): Promise<string | null> =>
  (await answers('bgpd')) ? null : 'bgpd is not installed: install the package openbgpd'

const answers = (program: string): Promise<boolean> =>
  run(program, [program === 'bird' ? '--version' : '-V'], { timeout: 5000 }).then(
    () => true,
    () => false,
  )
