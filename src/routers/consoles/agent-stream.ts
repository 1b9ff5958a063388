/** Opens the console of a machine on another host through the process that drives it. */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { unavailable } from '../../kernel/problem.ts'
import type { RoutersDeps } from '../deps.ts'
import { findAgent } from '../hypervisors/leases.ts'
import { signAgentTicket } from './agent-tickets.ts'
import { requireHeartbeat } from './heartbeat.ts'
import { streamOf } from './socket-stream.ts'
import type { ConsoleKind } from './tickets.ts'

const HANDSHAKE_WITHIN_MS = 10_000
/** Far more than a host passes on at once. */
const LARGEST_MESSAGE = 1 << 20

export const AGENT_CONSOLES = '/internal/consoles'

export async function openAgentStream(
  { db, clock, secretKey }: Pick<RoutersDeps, 'db' | 'clock' | 'secretKey'>,
  slug: string,
  machine: string,
  kind: ConsoleKind,
  signal: AbortSignal,
): Promise<Duplex> {
  const agent = await findAgent(db, slug)
  if (!agent?.url || !agent.term) throw unavailable('The host of this router is not responding.', 10)
  const ticket = signAgentTicket(secretKey, { hypervisor: slug, machine, kind, term: agent.term }, clock.now())
  const socket = new WebSocket(`${agent.url.replace(/^http/, 'ws')}${AGENT_CONSOLES}/${kind}`, {
    headers: { authorization: `Bearer ${ticket}` },
    handshakeTimeout: HANDSHAKE_WITHIN_MS,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
    followRedirects: false,
  })
  // Attached at once: what the machine sends before a listener exists would be lost.
  const stream = streamOf(socket)
  const giveUp = (): void => socket.terminate()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('it hung up')))
    })
  } catch (error) {
    stream.destroy()
    throw unavailable('The host of this router does not open a console now.', 5, error)
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
  requireHeartbeat(socket)
  return stream
}
