/** Makes a test's database reachable by TCP, through a relay that can go silent. */
import { createConnection, createServer, type Socket } from 'node:net'
import pg from 'pg'

/** A relay to the database that can go silent: it then passes on no bytes and no end of a connection. */
export async function relay(url: string, host = '127.0.0.1') {
  const held: (() => void)[] = []
  const relayed = new Set<Socket>()
  let silent = false
  const { host: at, port, user, password, database } = new pg.Client({ connectionString: url })
  const server = createServer((socket) => {
    const onward = createConnection(at.startsWith('/') ? { path: `${at}/.s.PGSQL.${port}` } : { host: at, port })
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      relayed.add(from)
      from.on('data', (chunk) => void (silent ? held.push(() => to.write(chunk)) : to.write(chunk)))
      from.on('error', () => undefined)
      from.on('close', () => void (silent ? held.push(() => to.destroy()) : to.destroy()))
    }
  })
  await new Promise<void>((resolve) => server.listen({ host, port: 0 }, resolve))
  const { port: own } = server.address() as { port: number }
  const login = [user, password]
    .filter((part) => part)
    .map((part) => encodeURIComponent(part!))
    .join(':')
  return {
    url: `postgres://${login}@${host}:${own}/${database}`,
    close: () => {
      for (const socket of relayed) socket.destroy()
      server.close()
    },
    silence: () => {
      silent = true
    },
    speak: () => {
      silent = false
      for (const one of held.splice(0)) one()
    },
  }
}
