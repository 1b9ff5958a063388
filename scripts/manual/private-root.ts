/**
 * A copy-on-write view of this machine's file system in a mount namespace. Commands of the manual that write to /etc
 * and /opt run there as they are written, and everything they wrote disappears with it. The network is shared. This
 * machine's libvirtd is hidden, because it may start and stop while other tests run.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const MOUNT = `set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
for folder in proc dev; do mount --rbind /$folder "$1/root/$folder"; done
for folder in libvirt longhaul; do
  mkdir -p "$1/root/run/$folder"
  mount -t tmpfs tmpfs "$1/root/run/$folder"
done
test -e "$1/root$2"
echo ready
exec cat`

/**
 * No service manager runs inside: commands that start or stop a service are accepted and ignored; everything else runs.
 */
const STAND_INS = `
systemctl() {
  local words=(); for word in "$@"; do [ "$word" = --now ] || words+=("$word"); done
  SYSTEMD_OFFLINE=1 command systemctl "\${words[@]}"
}
apt-get() { command apt-get --simulate --quiet=2 --option Dir::State::status=/dev/null "$@"; }
npm() {
  if [ "$1" != ci ]; then command npm "$@"; return; fi
  command npm "$@" --dry-run --offline
  mkdir -p node_modules dist
  mountpoint --quiet node_modules || mount --bind "$CHECKOUT/node_modules" node_modules
  cp -a "$CHECKOUT/dist/." dist/
}
# A release of Node.js, of the binary that npm brought; its checksum is its own.
curl() {
  local word name
  for word in "$@"; do case "$word" in *.tar.xz) name=$(basename "$word" .tar.xz) ;; esac; done
  mkdir -p "$name/bin" && cp -L "$CHECKOUT/node_modules/.bin/node" "$name/bin/node"
  tar --create --file="$name.tar.xz" "$name" && sha256sum "$name.tar.xz" > SHASUMS256.txt
}
export -f systemctl apt-get npm curl
`

export interface PrivateRoot {
  /** Runs the text with bash until the first failure; returns its output. */
  readonly run: (text: string) => Promise<string>
  readonly end: () => Promise<void>
}

/** Returns why it is not possible here; empty when it is. */
export function privateRootLacks(checkout: string): string {
  if (process.getuid?.() !== 0) return ' (skipped: not root)'
  const at = mkdtempSync(path.join(tmpdir(), 'longhaul-root-'))
  try {
    execFileSync('unshare', [...UNSHARE, MOUNT, 'sh', at, checkout], { stdio: ['ignore', 'pipe', 'pipe'] })
    return ''
  } catch {
    return ' (skipped: the kernel refuses mount namespaces or overlays here)'
  } finally {
    rmSync(at, { recursive: true, force: true })
  }
}

const UNSHARE = ['--mount', '--propagation', 'private', 'sh', '-c'] as const

export async function openPrivateRoot(checkout: string): Promise<PrivateRoot> {
  const at = mkdtempSync(path.join(tmpdir(), 'longhaul-root-'))
  const holder: ChildProcess = spawn('unshare', [...UNSHARE, MOUNT, 'sh', at, checkout], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await Promise.race([
    once(holder.stdout!, 'data'),
    once(holder, 'exit').then(() => Promise.reject(new Error('The private root could not be mounted.'))),
  ])
  return {
    run: async (text) => {
      const enter = [
        '--target',
        String(holder.pid),
        '--mount',
        'chroot',
        `${at}/root`,
        'bash',
        '-euo',
        'pipefail',
        '-s',
      ]
      const env = { ...process.env, CHECKOUT: checkout, LC_ALL: 'C' }
      const running = promisify(execFile)('nsenter', enter, { env, timeout: 180_000 })
      running.child.stdin!.end(`exec 2>&1\n${STAND_INS}\n${text}`)
      try {
        return (await running).stdout
      } catch (error) {
        throw new Error(`${text}\n\nprinted at last\n\n${(error as { stdout?: string }).stdout?.slice(-2000)}`, {
          cause: error,
        })
      }
    },
    end: async () => {
      holder.stdin!.end()
      await once(holder, 'exit')
      rmSync(at, { recursive: true, force: true })
    },
  }
}
