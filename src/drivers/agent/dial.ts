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
/** A link that lasted this long was successful. */
const GOOD_AFTER_MS = 5_000

export interface PortalAddress {
  readonly host: string
  readonly port: number
}

/** PEM: the agent's certificate and key, and the authority that it trusts as the portal. */
export interface Credentials {
  readonly certificate: string
  readonly privateKey: string
  readonly authority: string
}

export interface DialOptions {
  readonly address: PortalAddress
  readonly credentials: Credentials
  /** Serves the portal until the connection ends. */
  readonly serve: (socket: TLSSocket) => Promise<void>
  readonly signal: AbortSignal
  readonly onState: (connected: boolean, error: unknown) => void
}

/** Reconnects whenever the connection ends, until `signal` aborts. */
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
    // Keeps all hosts from reconnecting at once after a restart of the portal.
    await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined)
  }
}

/** The authority comes from the enrollment token, so no server in between can pose as the portal and take the token. */
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
