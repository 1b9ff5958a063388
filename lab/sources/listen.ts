import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A running source. */
export interface RunningSource {
  readonly port: number
  close(): Promise<void>
}

export interface SourceOptions {
  /** The data: see the folder `lab/data`. Read again when it changes. */
  readonly file: string
  readonly host?: string
  /** 0 picks a free one. */
  readonly port?: number
}

/** Opens the port and returns a function that ends everything behind it. */
export async function listen(
  server: Server | HttpServer,
  { host = '127.0.0.1', port = 0 }: SourceOptions,
  stop: () => void,
): Promise<RunningSource> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => open.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      stop()
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
