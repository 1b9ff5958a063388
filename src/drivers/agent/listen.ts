/** The listener for agents: TLS 1.3 with the portal's own authority. An unknown key fails in the handshake. */
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { certifiedKeyDigest, createKeyPair, issueCertificate, type Authority } from './certificates.ts'
import { ALPN_AGENT, ALPN_ENROL, enrolRequest, type EnrolReply, type EnrolRequest } from './protocol.ts'
import { readLine } from './read-line.ts'

const HANDSHAKE_WITHIN_MS = 10_000
const MOST_CONNECTIONS = 2_000

export interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly authority: Authority
  /** Accepts an agent with this key, or closes the connection. */
  readonly onAgent: (keyDigest: string, socket: TLSSocket) => Promise<void>
  readonly enrol: (request: EnrolRequest) => Promise<EnrolReply>
  readonly onError: (error: unknown) => void
}

export interface AgentListener {
  readonly port: number
  close(): Promise<void>
}

export async function listenForAgents(options: ListenOptions): Promise<AgentListener> {
  const { authority, onError } = options
  const { publicKey, privateKey } = createKeyPair()
  const server = createServer({
    cert: await issueCertificate(authority, 'portal', publicKey),
    key: privateKey,
    ca: [authority.certificate],
    requestCert: true,
    // A new agent has no certificate yet; each protocol checks below what it needs.
    rejectUnauthorized: false,
    minVersion: 'TLSv1.3',
    handshakeTimeout: HANDSHAKE_WITHIN_MS,
    ALPNProtocols: [ALPN_AGENT, ALPN_ENROL],
  })
  server.maxConnections = MOST_CONNECTIONS
  const sockets = new Set<TLSSocket>()
  server.on('secureConnection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    void serve(socket, options).catch((error: unknown) => {
      socket.destroy()
      onError(error)
    })
  })
  server.on('error', onError)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () => resolve(void server.off('error', reject)))
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

async function serve(socket: TLSSocket, { onAgent, enrol }: ListenOptions): Promise<void> {
  if (socket.alpnProtocol === ALPN_AGENT) {
    if (!socket.authorized) return void socket.destroy()
    return onAgent(certifiedKeyDigest(socket.getPeerCertificate().raw), socket)
  }
  if (socket.alpnProtocol !== ALPN_ENROL) return void socket.destroy()
  const request = enrolRequest.parse(JSON.parse(await readLine(socket)))
  socket.end(`${JSON.stringify(await enrol(request))}\n`)
}
