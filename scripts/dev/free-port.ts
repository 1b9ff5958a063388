import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** Returns a port that was free a moment ago: good enough where a person sees the failure and tries again. */
export async function findFreePort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
