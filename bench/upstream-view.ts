/** Watches one prefix at the upstream, where a filter change takes effect. */
import { setTimeout as sleep } from 'node:timers/promises'
import { BirdControl } from '../src/drivers/edge/bird/control.ts'

const POLL_EVERY_MS = 4
const PATIENCE_MS = 30_000

export interface UpstreamView {
  /** Resolves when the upstream has a route for it, or no longer has one. */
  until(prefix: string, wanted: 'visible' | 'gone'): Promise<void>
  close(): void
}

export async function viewUpstream(socket: string): Promise<UpstreamView> {
  const control = await BirdControl.connect(socket, { restricted: true })
  const isVisible = async (prefix: string): Promise<boolean> => {
    const reply = await control.command(`show route ${prefix}`)
    return reply.lines.some((line) => line.text.includes(prefix))
  }
  return {
    until: async (prefix, wanted) => {
      for (const end = performance.now() + PATIENCE_MS; ; await sleep(POLL_EVERY_MS)) {
        if ((await isVisible(prefix)) === (wanted === 'visible')) return
        if (performance.now() > end) throw new Error(`${prefix} is not ${wanted} at the upstream`)
      }
    },
    close: () => control[Symbol.dispose](),
  }
}
