/**
 * Traffic between the lab's Internet and the routers of the demonstration: echo requests of varying density, which the
 * routers answer. It stays in the namespaces, below two Mbit/s each way, and ends with them.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { LAB } from './addresses.ts'
import { ip } from './ip.ts'
import type { LabNames } from './names.ts'

/**
 * The routers that the demonstration orders, in the order of their addresses, with the shortest pause between requests
 * in seconds.
 */
const RECEIVERS = [
  { address: '203.0.113.2', pause: 0.012 },
  { address: '203.0.113.3', pause: 0.02 },
  { address: '198.51.100.4', pause: 0.05 },
  { address: '198.51.100.5', pause: 0.05 },
] as const
/** Bytes of each request. */
const SIZE = 1_000
/** Factors by which the pauses are longer, one after another, each for `SECONDS`. */
const DENSITY = [1, 1.4, 2, 1.2, 3, 1.7, 1.1, 2.4]
const SECONDS = 25

export async function startTraffic(names: LabNames): Promise<void> {
  const { upstreamNamespace: namespace, runDirectory } = names
  const via = LAB.link[4].edge
  for (const network of ['203.0.113.0/24', '198.51.100.0/24'])
    await ip('-netns', namespace, 'route', 'replace', network, 'via', via)
  for (const [index, { address, pause }] of RECEIVERS.entries()) {
    const pauses = DENSITY.map((_, turn) => (pause * DENSITY[(turn + index * 3) % DENSITY.length]!).toFixed(4))
    const script = `while sleep 1; do for pause in ${pauses.join(' ')}; do ping -q -n -w ${SECONDS} -i $pause -s ${SIZE} ${address}; done; done`
    // The lock keeps the senders of a running lab: they are not started twice.
    const lock = join(runDirectory, `traffic-${index}.lock`)
    const child = spawn('ip', ['netns', 'exec', namespace, 'flock', '-n', lock, 'sh', '-c', script], {
      detached: true,
      stdio: 'ignore',
    })
    child.on('error', () => {})
    child.unref()
  }
}
