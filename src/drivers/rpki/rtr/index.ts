/** VRPs from a validating cache over the RPKI-to-Router protocol (RFC 8210, with RFC 6810 for old caches), over TCP or TLS. */
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock, type Clock } from '../../../kernel/clock.ts'
import type { RpkiSource } from '../index.ts'
import { createLiveVrps } from '../live-vrps.ts'
import { DEFAULT_TIMERS, followCache, type RtrMemory } from './conversation.ts'

export interface RtrSourceOptions {
  readonly host: string
  readonly port: number
  /** RFC 8210 section 9.2: the certificate has to name the host. */
  readonly tls?: boolean
  /** In PEM, instead of the authorities that Node trusts. */
  readonly ca?: string
  /** The pause before the second connection attempt; doubles up to a minute. */
  readonly retryMs?: number
  readonly clock?: Clock
}

const CONNECT_MS = 10_000
const LONGEST_PAUSE_MS = 60_000

export function createRtrSource(options: RtrSourceOptions): RpkiSource {
  const { host, port, tls = false, retryMs = 1000, clock = systemClock } = options
  const live = createLiveVrps(`rtr ${tls ? 'tls://' : ''}${host}:${port}`, clock)
  const memory: RtrMemory = { version: 1, known: null, timers: DEFAULT_TIMERS }
  const closing = new AbortController()
  let pause = retryMs

  async function attempt(): Promise<void> {
    const socket = await openSocket(options, closing.signal)
    const hangUp = () => socket.destroy()
    closing.signal.addEventListener('abort', hangUp)
    try {
      await followCache(socket, memory, {
        complete(index) {
          pause = retryMs
          const asOf = clock.now()
          const after = (seconds: number) => new Date(asOf.getTime() + seconds * 1000)
          const { refresh, retry, expire } = memory.timers
          live.publish({ index, aspas: null, asOf, staleAt: after(refresh + retry), expiresAt: after(expire) })
        },
        flush: (reason) => live.flush(reason),
      })
    } finally {
      closing.signal.removeEventListener('abort', hangUp)
      socket.destroySoon()
    }
  }
  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await attempt()
      } catch (error) {
        live.fail(`${host}:${port}: ${error instanceof Error ? error.message : String(error)}`)
      }
      await wait(pause, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
  }
  const running = run()

  return {
    validate: live.validate,
    verdict: live.verdict,
    aspa: live.aspa,
    report: live.report,
    onChange: live.onChange,
    async close() {
      closing.abort()
      live.stop()
      await running
    },
  }
}

function openSocket({ host, port, tls, ca }: RtrSourceOptions, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = tls
      ? connectTls({ host, port, ...(ca !== undefined && { ca }) }).setKeepAlive(true)
      : connect({ host, port, keepAlive: true })
    const give = () => {
      signal.removeEventListener('abort', cancel)
      socket.setTimeout(0).removeAllListeners()
    }
    const fail = (error: Error) => {
      give()
      socket.on('error', () => undefined).destroy()
      reject(error)
    }
    const cancel = () => fail(new Error('closed'))
    signal.addEventListener('abort', cancel)
    socket.setTimeout(CONNECT_MS)
    socket.once('timeout', () => fail(new Error('no connection in 10 s')))
    socket.once('error', fail)
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      give()
      resolve(socket)
    })
  })
}
