/** A key and certificates for a server on loopback. */
import { webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
// The library uses decorator metadata, and refuses to load without this.
import 'reflect-metadata'
import { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

const keys = (await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
  'sign',
  'verify',
])) as CryptoKeyPair

/** PEM. */
export const key = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')

/** PEM, self-signed: it is its own authority. */
export async function certificateFor(address: string): Promise<string> {
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=loopback',
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: address }])],
  })
  return certificate.toString('pem')
}

/** A TLS server with this certificate in front of one that uses plain TCP. */
export async function tlsBefore(port: number, cert: string): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer({ key, cert }, (socket) => {
    const plain = connect({ host: '127.0.0.1', port })
    for (const one of [socket, plain]) one.on('error', () => undefined)
    socket.pipe(plain).pipe(socket)
  })
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: async () => void server.close() }
}
