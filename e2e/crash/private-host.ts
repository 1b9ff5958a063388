/**
 * Gives a run its own libvirtd. In a mount namespace with empty folders of libvirt's services, the product finds none
 * running and starts one, and cannot reach any other machines. It ends with the last process in it.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { ensureSystem } from '../../scripts/system.ts'
import { labSkipReason } from '../../lab/network/index.ts'

const run = promisify(execFile)

const PID_FILE = '/run/longhaul/libvirtd.pid'
// Enough room for disks on paper: they are sparse, and what is not written takes no memory.
const EACH =
  'set -e; while [ "$1" != -- ]; do mkdir -p "$1"; mount -t tmpfs -o mode=755,size=64g longhaul-e2e "$1"; shift; done'

/**
 * A command prefix: for the command and its children these folders are empty, and what they write there ends with them.
 */
export const withEmpty = (...folders: readonly string[]): readonly string[] => [
  'unshare',
  '--mount',
  '--propagation',
  'private',
  'sh',
  '-c',
  `${EACH}; shift; exec "$@"`,
  'sh',
  ...folders,
  '--',
]

/** The same for a command that needs its own libvirtd. */
export const PRIVATE_HOST = withEmpty(
  '/run/libvirt',
  '/run/longhaul',
  '/var/lib/libvirt',
  '/var/cache/libvirt',
  '/etc/libvirt/qemu',
  '/etc/libvirt/nwfilter',
  '/run/netns',
)

/** Returns why it is not possible here; null when it is. */
export async function privateHostSkipReason(): Promise<string | null> {
  const network = await labSkipReason()
  if (network) return network
  const { advice } = await ensureSystem({ say: () => undefined })
  if (advice) return advice
  return mountSkipReason()
}

/** Returns why {@link withEmpty} does not work here; null when it does. */
export const mountSkipReason = (): Promise<string | null> =>
  run('unshare', ['--mount', '--propagation', 'private', 'true']).then(
    () => null,
    (error: Error) => `the kernel refuses mount namespaces here: ${error.message.trim()}`,
  )

/** Returns a path of that host as reached from outside; `pid` is any process in it. */
export const outside = (pid: number, path: string): string => `/proc/${pid}/root${path}`

export async function killLibvirtd(pid: number): Promise<void> {
  process.kill(Number(await readFile(outside(pid, PID_FILE), 'utf8')), 'SIGKILL')
}

export async function startLibvirtd(pid: number): Promise<void> {
  const enter = ['--target', String(pid), '--mount']
  await run('nsenter', [...enter, 'libvirtd', '--daemon', '--pid-file', PID_FILE], { cwd: '/', timeout: 60_000 })
}
