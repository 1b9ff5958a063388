/** One connection to a cache, seen from the router's side (RFC 8210 sections 6 to 8). */
import type { Socket } from 'node:net'
import type { VrpIndex } from '../vrp-index.ts'
import { PendingData } from './delta.ts'
import { encodePdu, PduReader, RTR_ERROR, RtrError, type Pdu, type RtrTimers, type RtrVersion } from './pdu.ts'

/** What outlives a connection. */
export interface RtrMemory {
  version: RtrVersion
  /** Null until all data came once: then a change is enough. */
  known: { readonly session: number; readonly serial: number; readonly index: VrpIndex } | null
  timers: RtrTimers
}

/** RFC 8210 section 6, the advised values; a cache of version 0 has no others. */
export const DEFAULT_TIMERS: RtrTimers = { refresh: 3600, retry: 600, expire: 7200 }

/** A cache that says nothing at all for so long, after a question or within an answer, is gone. */
const SILENCE_MS = 60_000

export interface RtrEvents {
  /** All data of this serial is there. */
  complete(index: VrpIndex): void
  /** What is held may not be used any longer. */
  flush(reason: string): void
}

/** Follows the cache until the connection ends. Rejects with words on what ended it. */
export async function followCache(socket: Socket, memory: RtrMemory, events: RtrEvents): Promise<void> {
  const reader = new PduReader()
  let pending: { session: number; data: PendingData } | null = null
  let asked: 'reset' | 'serial' | null = null
  /** What it told of while it answered: the answer may be from before. */
  let told: { readonly session: number; readonly serial: number } | null = null
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
        if (asked) told = pdu
        else if (isUpdate(pdu)) ask()
        return
      case 'cache-response':
        if (!asked) throw new RtrError(RTR_ERROR.corruptData, 'an answer that was not requested')
        // Section 5.1: serials of two sessions mean nothing to each other, and what is held is to be thrown away.
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
        if (told && isUpdate(told)) ask()
        told = null
        return
      }
      case 'cache-reset':
        // It cannot tell what changed: ask for all of it. What is held stays in use until then.
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
  // The loop below tells of errors while it runs; one that comes as we take our leave concerns nobody, and must not end us.
  socket.on('error', () => undefined)
  try {
    ask()
    let first = true
    // Left open on a breach: the cache is owed an error report.
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      for (const { version, pdu } of reader.push(chunk as Buffer)) {
        if (first && pdu.type === 'serial-notify') continue // section 7: may come before any version is agreed on
        // Section 7: a cache may answer our first question in its own lower version, and then keeps to it.
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

/** RFC 8210 section 6 bounds; a cache must not make us hammer it, nor believe it for ever. */
function clampTimers({ refresh, retry, expire }: RtrTimers): RtrTimers {
  const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
  return { refresh: clamp(refresh, 1, 86_400), retry: clamp(retry, 1, 7200), expire: clamp(expire, 600, 172_800) }
}
