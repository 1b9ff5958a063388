/** Sends one query to one resolver: over UDP, and over TCP if the answer does not fit (RFC 7766). */
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { DnsError } from '../index.ts'
import { encodeQuestion, readReply, type Question, type Reply } from './message.ts'

export interface Server {
  readonly address: string
  readonly port: number
}

export async function exchange(server: Server, question: Question, signal: AbortSignal): Promise<Reply> {
  const reply = await overUdp(server, question, signal)
  return reply.truncated ? overTcp(server, question, signal) : reply
}

const unreachable = ({ address, port }: Server, cause: unknown): DnsError =>
  new DnsError('unreachable', `The resolver ${address} does not answer at port ${port}.`, { cause })

/** Uses a fresh port and a connected socket: the system then drops packets from any other address. */
function overUdp(server: Server, question: Question, signal: AbortSignal): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(server.address.includes(':') ? 'udp6' : 'udp4')
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', onAbort)
      socket.removeAllListeners().on('error', () => undefined)
      try {
        socket.close()
      } catch {
        // Closed already.
      }
      settle()
    }
    const onAbort = (): void => end(() => reject(signal.reason as Error))
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    socket.on('error', (error) => end(() => reject(unreachable(server, error))))
    socket.on('message', (message) => {
      try {
        const reply = readReply(message, question)
        if (reply) end(() => resolve(reply))
      } catch (error) {
        end(() => reject(error as Error))
      }
    })
    socket.connect(server.port, server.address, () => socket.send(encodeQuestion(question)))
  })
}

function overTcp(server: Server, question: Question, signal: AbortSignal): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: server.address, port: server.port, signal })
    let received = Buffer.alloc(0)
    const fail = (error: Error): void => {
      socket.destroy()
      reject(error)
    }
    socket.on('error', (error) => fail(signal.aborted ? (signal.reason as Error) : unreachable(server, error)))
    socket.on('close', () => fail(unreachable(server, null)))
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
      try {
        const reply = readReply(received.subarray(2, 2 + received.readUInt16BE(0)), question)
        if (!reply || reply.truncated) return fail(new DnsError('protocol', 'The resolver answered something else.'))
        resolve(reply)
        socket.destroy()
      } catch (error) {
        fail(error as Error)
      }
    })
    const message = encodeQuestion(question)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(message.length)
    socket.write(Buffer.concat([length, message]))
  })
}
