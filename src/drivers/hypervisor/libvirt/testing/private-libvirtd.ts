/** A private libvirtd, so that a test may freeze it. Its machines have no network. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Hypervisor } from '../../index.ts'
import { createLibvirt } from '../index.ts'

const run = promisify(execFile)
const DAEMONS = ['virtlogd', 'libvirtd'] as const
/** The folders where libvirtd keeps the state of its machines; empty ones make a separate libvirtd. */
const OWN_FOLDERS = [
  '/run/libvirt',
  '/var/lib/libvirt',
  '/var/cache/libvirt',
  '/etc/libvirt/qemu',
  '/etc/libvirt/nwfilter',
]
/** The first start probes the capabilities of every QEMU. */
const START_WITHIN_MS = 60_000

export interface PrivateLibvirtd {
  readonly hypervisor: Hypervisor
  freeze(): void
  thaw(): void
  /** Counts how often libvirt started the machine with this label. */
  countStarts(label: string): Promise<number>
  close(): Promise<void>
}

export async function openPrivateLibvirtd(instance: string, imageDirectory: string): Promise<PrivateLibvirtd> {
  const directory = `/var/lib/longhaul-${instance}`
  await mkdir(directory, { recursive: true, mode: 0o711 })
  const mounts = OWN_FOLDERS.map((folder) => `mkdir -p ${folder} && mount -t tmpfs -o mode=755 private ${folder}`)
  const pidFile = (daemon: string) => join(directory, `${daemon}.pid`)
  const start = DAEMONS.map((daemon) => `${daemon} --daemon --pid-file ${pidFile(daemon)}`)
  // Runs until its input ends, also when this process is killed.
  const script = `set -e; ${[...mounts, ...start].join('; ')}; echo ready; exec cat >/dev/null`
  const namespace = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ready = await Promise.race([
    once(namespace.stdout, 'data').then(() => true),
    once(namespace, 'exit').then(() => false),
    sleep(START_WITHIN_MS, false, { ref: false }),
  ])
  if (!ready) throw new Error('libvirtd did not start in a mount namespace of its own')
  const pidOf = async (daemon: string) => Number(await readFile(pidFile(daemon), 'utf8'))
  const libvirtd = await pidOf('libvirtd')
  const hypervisor = createLibvirt({
    socket: `/proc/${libvirtd}/root/run/libvirt/libvirt-sock`,
    instance,
    poolDirectory: join(directory, 'pool'),
    imageDirectory,
    bridge: null,
  })
  return {
    hypervisor,
    freeze: () => void process.kill(libvirtd, 'SIGSTOP'),
    thaw: () => void process.kill(libvirtd, 'SIGCONT'),
    async countStarts(label) {
      const log = await readFile(`/var/log/libvirt/qemu/lh-${instance}-${label}.log`, 'utf8')
      return log.match(/^.*: starting up libvirt version/gm)?.length ?? 0
    },
    async close() {
      await hypervisor.close()
      for (const daemon of DAEMONS.toReversed()) {
        const pid = await pidOf(daemon)
        process.kill(pid, 'SIGCONT')
        process.kill(pid, 'SIGTERM')
      }
      namespace.stdin.end()
      await once(namespace, 'exit')
      await rm(directory, { recursive: true, force: true })
      await run('sh', ['-c', `rm -f /var/log/libvirt/qemu/lh-${instance}-*.log`])
    },
  }
}
