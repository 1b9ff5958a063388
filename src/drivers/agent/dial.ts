/** The agent connects to the portal, never the other way: a hypervisor or a router needs no open port. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { PORTAL_NAME } from './certificates.ts'
import { ALPN_AGENT, ALPN_ENROL, enrolReply, type EnrolReply, type EnrolRequest } from './protocol.ts'
import { readLine } from './read-line.ts'

const CONNECT_WITHIN_MS = 10_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
/** A link that held this long was a good one. */
const GOOD_AFTER_MS = 5_000

export interface PortalAddress {
  readonly host: string
  readonly port: number
}

/** PEM: what an agent proves itself with, and whom it takes for the portal. */
export interface Credentials {
  readonly certificate: string
  readonly privateKey: string
  readonly authority: string
}

export interface DialOptions {
  readonly address: PortalAddress
  readonly credentials: Credentials
  /** Answers the portal until the connection ends. */
  readonly serve: (socket: TLSSocket) => Promise<void>
  readonly signal: AbortSignal
  readonly onState: (connected: boolean, error: unknown) => void
}

/** Connects again whenever the connection ended, until `signal` aborts. */
export async function keepDialling({ address, credentials, serve, signal, onState }: DialOptions): Promise<void> {
  let pause = FIRST_PAUSE_MS
  while (!signal.aborted) {
    const began = performance.now()
    let failure: unknown = null
    try {
      const socket = await open(address, {
        ca: [credentials.authority],
        cert: credentials.certificate,
        key: credentials.privateKey,
        ALPNProtocols: [ALPN_AGENT],
      })
      const end = () => socket.destroy()
      signal.addEventListener('abort', end, { once: true })
      onState(true, null)
      await serve(socket)
      signal.removeEventListener('abort', end)
    } catch (error) {
      failure = error
    }
    onState(false, failure)
    pause = performance.now() - began > GOOD_AFTER_MS ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS)
    // Not all hosts at once, after the portal was restarted.
    await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined)
  }
}

/** The authority is in the token, so that nobody in between can take the token for the portal. */
export async function enrolAt(address: PortalAddress, authority: string, request: EnrolRequest): Promise<EnrolReply> {
  const socket = await open(address, { ca: [authority], ALPNProtocols: [ALPN_ENROL] })
  try {
    socket.write(`${JSON.stringify(request)}\n`)
    return enrolReply.parse(JSON.parse(await readLine(socket)))
  } finally {
    socket.destroy()
  }
}

async function open({ host, port }: PortalAddress, options: ConnectionOptions): Promise<TLSSocket> {
  const socket = connect({ ...options, host, port, servername: PORTAL_NAME, minVersion: 'TLSv1.3' })
  socket.setTimeout(CONNECT_WITHIN_MS, () => socket.destroy(new Error('no answer in time')))
  await once(socket, 'secureConnect')
  socket.setTimeout(0)
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  return socket
}
