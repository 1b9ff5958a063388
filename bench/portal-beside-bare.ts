/** The portal as a customer is signed in to it, and the bare Fastify that it is held against; both end with `close`. */
import { DEMO_PASSWORD } from '../e2e/product.ts'
import type { Comparison, Stage } from './bench.ts'
import { startChild, type Child } from './child.ts'
import { makeDataDir } from './data-dir.ts'
import { signIn } from './signed-in.ts'

export interface PortalBesideBare {
  readonly portal: Child
  readonly bare: Child
  readonly cookies: string
  /** Of the data folder: its database's processes carry it. */
  readonly instance: string
}

/** `compare` comes once both answer. What was started is ended also when something throws. */
export async function openBesideBare(
  compare: (both: PortalBesideBare) => readonly Comparison[] | Promise<readonly Comparison[]>,
): Promise<Stage> {
  const undo: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step()
  }
  try {
    const folder = await makeDataDir()
    undo.push(folder.remove)
    const settings = { DATA_DIR: folder.path, PORT: '0', DEMO: 'on', DEMO_PASSWORD, LOG_LEVEL: 'warn' }
    const simulated = { COMPUTE: 'simulated', EDGE: 'simulated', OPERATOR_ASN: '500000' }
    const portal = await startChild(['src/server.ts'], { ...process.env, ...settings, ...simulated })
    undo.push(portal.stop)
    const bare = await startChild(['bench/peers/bare-server.ts'])
    undo.push(bare.stop)
    const { cookies } = await signIn(portal.address, 'customer@example.net', DEMO_PASSWORD)
    return { comparisons: await compare({ portal, bare, cookies, instance: folder.instance }), close }
  } catch (error) {
    await close()
    throw error
  }
}
