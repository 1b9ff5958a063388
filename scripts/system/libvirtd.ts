/** Makes sure that libvirtd answers, and acts as its service manager on machines without systemd. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { exclusively, join } from '../../src/platform/process-lock.ts'
import { openKvmDevice } from './kvm.ts'
import { findProgram } from './packages.ts'

const run = promisify(execFile)

export const LIBVIRT_SOCKET = '/run/libvirt/libvirt-sock'
const OWN_FOLDER = '/run/longhaul'
/** The first start probes every QEMU binary. */
const ANSWER_WITHIN_MS = 60_000
const STOP_WITHIN_MS = 20_000

export interface Libvirtd {
  readonly socket: string
  /** Stops what a Longhaul started, when this was the last user. Virtual machines keep running. */
  readonly release: () => Promise<void>
}

/** Throws with advice when libvirtd is missing or does not answer. Needs root, unless it already runs. */
export async function ensureLibvirtd(say: (line: string) => void): Promise<Libvirtd> {
  if (process.getuid?.() !== 0) {
    if (await answers(LIBVIRT_SOCKET)) return { socket: LIBVIRT_SOCKET, release: () => Promise.resolve() }
    throw new Error(
      `libvirtd does not answer at ${LIBVIRT_SOCKET}. Start it (sudo systemctl start libvirtd) and join its group (sudo adduser $USER libvirt).`,
    )
  }
  const opened = await openKvmDevice()
  if (opened) say(opened)
  await mkdir(OWN_FOLDER, { recursive: true, mode: 0o755 })
  const lockFile = path.join(OWN_FOLDER, 'libvirtd.lock')
  const members = await exclusively(lockFile, async () => {
    if (!(await answers(LIBVIRT_SOCKET))) await start(say)
    return join(path.join(OWN_FOLDER, 'libvirtd.users'))
  })
  let released: Promise<void> | undefined
  const release = (): Promise<void> =>
    exclusively(lockFile, async () => {
      if (members.leave()) await stopOurs()
    })
  return { socket: LIBVIRT_SOCKET, release: () => (released ??= release()) }
}

async function start(say: (line: string) => void): Promise<void> {
  if (await hasSystemd()) {
    await run('systemctl', ['start', 'virtlogd.socket', 'libvirtd.socket', 'libvirtd.service'])
  } else {
    await ensureLockFolder()
    for (const daemon of DAEMONS) await startDaemon(daemon)
    say('Started libvirtd (this machine has no systemd).')
  }
  for (const until = performance.now() + ANSWER_WITHIN_MS; !(await answers(LIBVIRT_SOCKET)); await sleep(50)) {
    if (performance.now() > until) {
      throw new Error(
        `libvirtd was started and does not answer at ${LIBVIRT_SOCKET}. Run "libvirtd --verbose" to see why, or set COMPUTE=simulated.`,
      )
    }
  }
}

/** In the order in which they start; they stop in reverse. */
const DAEMONS = ['virtlogd', 'libvirtd'] as const
type Daemon = (typeof DAEMONS)[number]

/** Only ours: a Longhaul started the daemon whose process id is in this file. */
const pidFileOf = (daemon: Daemon): string => path.join(OWN_FOLDER, `${daemon}.pid`)

/** `/var/lock` links here, and systemd makes it at boot. Without it libvirt opens no serial console. */
async function ensureLockFolder(): Promise<void> {
  if (await mkdir('/run/lock', { recursive: true })) await chmod('/run/lock', 0o1777)
}

async function startDaemon(daemon: Daemon): Promise<void> {
  if (await findOurs(daemon)) return
  const program = await findProgram(daemon)
  if (!program)
    throw new Error(
      `${daemon} is not installed. Install libvirt (npm start does, as root on Debian), or set COMPUTE=simulated.`,
    )
  if (daemon === 'virtlogd' && (await answers('/run/libvirt/virtlogd-sock'))) return
  await run(program, ['--daemon', '--pid-file', pidFileOf(daemon)], { cwd: '/', timeout: ANSWER_WITHIN_MS })
}

async function stopOurs(): Promise<void> {
  await stopDaemon('libvirtd')
  // QEMU sends its console log to virtlogd and loses it when virtlogd exits.
  if (!(await hasRunningMachines())) await stopDaemon('virtlogd')
}

async function stopDaemon(daemon: Daemon): Promise<void> {
  const pid = await findOurs(daemon)
  if (!pid) return
  process.kill(pid, 'SIGTERM')
  for (const until = performance.now() + STOP_WITHIN_MS; await findOurs(daemon); await sleep(50)) {
    if (performance.now() > until) return
  }
}

/** Checks that the process is still that daemon: process ids are reused. */
async function findOurs(daemon: Daemon): Promise<number | undefined> {
  const pid = Number.parseInt(await readFile(pidFileOf(daemon), 'utf8').catch(() => ''), 10)
  if (!Number.isInteger(pid)) return undefined
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return path.basename(command.split('\0')[0] ?? '') === daemon ? pid : undefined
}

const hasRunningMachines = async (): Promise<boolean> =>
  (await readdir('/run/libvirt/qemu').catch(() => [])).some((name) => name.endsWith('.pid'))

const hasSystemd = async (): Promise<boolean> =>
  (await readdir('/run/systemd/system').catch(() => undefined)) !== undefined

const answers = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = net.connect(socket)
    connection.on('connect', () => {
      connection.destroy()
      resolve(true)
    })
    connection.on('error', () => resolve(false))
  })
