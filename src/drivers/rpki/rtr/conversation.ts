/** One connection to a cache, from the router's side (RFC 8210 sections 6 to 8). */
import type { Socket } from 'node:net'
import type { VrpIndex } from '../vrp-index.ts'
import { PendingData } from './delta.ts'
import { encodePdu, PduReader, RTR_ERROR, RtrError, type Pdu, type RtrTimers, type RtrVersion } from './pdu.ts'

/** State that outlives a connection. */
export interface RtrMemory {
  version: RtrVersion
  /** Null until all data arrived once; after that, changes are enough. */
  known: { readonly session: number; readonly serial: number; readonly index: VrpIndex } | null
  timers: RtrTimers
}

/** The values that RFC 8210 section 6 recommends; a cache of version 0 has no others. */
export const DEFAULT_TIMERS: RtrTimers = { refresh: 3600, retry: 600, expire: 7200 }

/** A cache that sends nothing for this long, after a query or within a response, is gone. */
const SILENCE_MS = 60_000

export interface RtrEvents {
  /** All data of this serial has arrived. */
  complete(index: VrpIndex): void
  /** The data must not be used any longer. */
  flush(reason: string): void
}

/** Follows the cache until the connection ends. Rejects with the reason for the end. */
export async function followCache(socket: Socket, memory: RtrMemory, events: RtrEvents): Promise<void> {
  const reader = new PduReader()
  let pending: { session: number; data: PendingData } | null = null
  let asked: 'reset' | 'serial' | null = null
  /** A notification received during a response: the response may be older. */
  let notified: { readonly session: number; readonly serial: number } | null = null
  let refresh: NodeJS.Timeout | undefined

  const send = (pdu: Pdu) => socket.write(encodePdu(memory.version, pdu))
  const ask = () => {
    if (asked) return
    clearTimeout(refresh)
    asked = memory.known ? 'serial' : 'reset'
    send(
      memory.known
        ? { type: 'serial-query', session: memory.known.session, serial: memory.known.serial }
        : { type: 'reset-query' },
    )
    socket.setTimeout(SILENCE_MS)
  }
  const isUpdate = ({ session, serial }: { readonly session: number; readonly serial: number }) =>
    memory.known?.serial !== serial || memory.known.session !== session
  const forget = (reason: string): never => {
    memory.known = null
    events.flush(reason)
    throw new RtrError(RTR_ERROR.corruptData, reason)
  }

  const take = async (pdu: Pdu): Promise<void> => {
    switch (pdu.type) {
      case 'serial-notify':
        if (asked) notified = pdu
        else if (isUpdate(pdu)) ask()
        return
      case 'cache-response':
        if (!asked) throw new RtrError(RTR_ERROR.corruptData, 'an answer that was not requested')
        // Section 5.1: serials of different sessions cannot be compared, and the old data must be discarded.
        if (asked === 'serial' && memory.known?.session !== pdu.session) forget('the cache changed its session')
        pending = { session: pdu.session, data: new PendingData(asked === 'serial' ? memory.known!.index : null) }
        return
      case 'prefix':
        if (!pending) throw new RtrError(RTR_ERROR.corruptData, 'a VRP outside of an answer')
        pending.data.take(pdu)
        return
      case 'router-key':
        return
      case 'end-of-data': {
        if (!pending) throw new RtrError(RTR_ERROR.corruptData, 'the end of an answer that did not begin')
        if (pending.session !== pdu.session) forget('the cache changed its session within an answer')
        socket.setTimeout(0)
        const index = await pending.data.complete()
        memory.known = { session: pdu.session, serial: pdu.serial, index }
        memory.timers = pdu.timers ? clampTimers(pdu.timers) : DEFAULT_TIMERS
        pending = null
        asked = null
        refresh = setTimeout(ask, memory.timers.refresh * 1000)
        events.complete(index)
        if (notified && isUpdate(notified)) ask()
        notified = null
        return
      }
      case 'cache-reset':
        // The cache cannot tell what changed: request everything. The old data stays in use until then.
        memory.known = null
        asked = null
        ask()
        return
      case 'error':
        if (pdu.code === RTR_ERROR.unsupportedVersion) memory.version = 0
        else if (pdu.code !== RTR_ERROR.noDataAvailable) memory.known = null
        throw new Error(`the cache reports error ${pdu.code}${pdu.text ? `: ${pdu.text.slice(0, 200)}` : ''}`)
      case 'serial-query':
      case 'reset-query':
        throw new RtrError(RTR_ERROR.invalidRequest, 'a question from the cache')
    }
  }

  const onSilence = () => socket.destroy(new Error(`the cache said nothing for ${SILENCE_MS / 1000} s`))
  socket.on('timeout', onSilence)
  // The loop below handles errors while it runs; a later one does not matter, and must not end the process.
  socket.on('error', () => undefined)
  try {
    ask()
    let first = true
    // Left open on a protocol error: the cache must still get an error report.
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      for (const { version, pdu } of reader.push(chunk as Buffer)) {
        if (first && pdu.type === 'serial-notify') continue // section 7: may arrive before any version is agreed on
        // Section 7: a cache may answer our first query in its own lower version, and then keeps it.
        if (first && version < memory.version && pdu.type !== 'error') memory.version = version
        if (version !== memory.version && pdu.type !== 'error')
          throw new RtrError(
            RTR_ERROR.unexpectedVersion,
            `version ${version} in a session of version ${memory.version}`,
          )
        first = false
        await take(pdu)
      }
    }
    if (first) memory.version = memory.version === 1 ? 0 : 1 // some caches of version 0 just hang up on version 1
    throw new Error('the cache closed the connection')
  } catch (error) {
    if (error instanceof RtrError) {
      memory.known = null
      if (socket.writable)
        socket.write(encodePdu(memory.version, { type: 'error', code: error.code, text: error.message }))
    }
    throw error
  } finally {
    clearTimeout(refresh)
    socket.end()
  }
}

/** The bounds of RFC 8210 section 6: a cache must not make us query it too often, nor trust it forever. */
function clampTimers({ refresh, retry, expire }: RtrTimers): RtrTimers {
  const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
  return { refresh: clamp(refresh, 1, 86_400), retry: clamp(retry, 1, 7200), expire: clamp(expire, 600, 172_800) }
}
