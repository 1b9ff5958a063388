/** A console of a machine on another host, by way of the process that drives it. */
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { unavailable } from '../../kernel/problem.ts'
import type { RoutersDeps } from '../deps.ts'
import { findDriver } from '../hosts/claim.ts'
import { signHostTicket } from './host-tickets.ts'
import { demandSignsOfLife } from './signs-of-life.ts'
import { streamOf } from './socket-stream.ts'
import type { ConsoleKind } from './tickets.ts'

const HANDSHAKE_WITHIN_MS = 10_000
/** What a host passes on at once is far less. */
const LARGEST_MESSAGE = 1 << 20

export const HOST_CONSOLES = '/internal/consoles'

export async function openHostStream(
  { db, clock, secretKey }: Pick<RoutersDeps, 'db' | 'clock' | 'secretKey'>,
  slug: string,
  machine: string,
  kind: ConsoleKind,
  signal: AbortSignal,
): Promise<Duplex> {
  const driver = await findDriver(db, slug)
  if (!driver?.url || !driver.term) throw unavailable('No process drives the host of this router now.', 10)
  const ticket = signHostTicket(secretKey, { machine, kind, term: driver.term }, clock.now())
  const socket = new WebSocket(`${driver.url.replace(/^http/, 'ws')}${HOST_CONSOLES}/${kind}`, {
    headers: { authorization: `Bearer ${ticket}` },
    handshakeTimeout: HANDSHAKE_WITHIN_MS,
    maxPayload: LARGEST_MESSAGE,
    perMessageDeflate: false,
    followRedirects: false,
  })
  // At once: what the machine says before anybody listens would be lost.
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
  demandSignsOfLife(socket)
  return stream
}
