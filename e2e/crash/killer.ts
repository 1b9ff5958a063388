import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from '../product.ts'
import type { Random } from './random.ts'

/** The share killed while they start; the others are killed in their first moments of service. */
const WHILE_STARTING = 0.25
const MOMENT_MS = 1_000
const COMES_WITHIN_MS = 60_000

/** Kills the server with SIGKILL this many times, whatever it is doing. */
export async function killAtRandom(product: Product, times: number, random: Random): Promise<void> {
  for (let killed = 0; killed < times; killed++) {
    const starts = (): number => product.said.filter((line) => line === 'The server runs again.').length
    const before = starts()
    const pid = await awaitServer(product)
    // The first was ready before any user came.
    const starting = killed > 0 && random.chance(WHILE_STARTING)
    if (killed > 0 && !starting) await until(product, () => starts() > before)
    await sleep(random.between(0, MOMENT_MS))
    process.kill(pid, 'SIGKILL')
    // Wait until its parent has noticed too, so that the next one found is a new one.
    await until(product, async () => (await product.serverPid()) !== pid)
  }
}

async function awaitServer(product: Product): Promise<number> {
  let pid: number | null = null
  await until(product, async () => (pid = await product.serverPid()) !== null)
  return pid!
}

async function until(product: Product, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + COMES_WITHIN_MS; !(await isSo()); await sleep(20)) {
    if (product.exitCode() !== null) throw new Error('the product gave up')
    if (performance.now() > end) throw new Error(`the server did not come back in ${COMES_WITHIN_MS / 1000} s`)
  }
}
