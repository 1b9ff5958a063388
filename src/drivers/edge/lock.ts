import { stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { EdgeError } from './index.ts'

const RETRY_MS = 100

/**
 * Allows one writer per edge directory among all processes of the machine. The lock is a name in the kernel's abstract
 * socket namespace. The kernel releases it with its process, so a killed writer never leaves a stale lock.
 */
export async function lockDirectory(directory: string, deadlineMs: number): Promise<AsyncDisposable> {
  const { dev, ino } = await stat(directory)
  const deadline = Date.now() + deadlineMs
  for (;;) {
    const server = await bind(`\0longhaul-edge-${dev}-${ino}`)
    if (server) {
      server.unref()
      return { [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) }
    }
    if (Date.now() > deadline)
      throw new EdgeError(
        'timeout',
        'Another process is changing this edge and does not come to an end. Try again later.',
      )
    await sleep(RETRY_MS)
  }
}

function bind(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null)
      else reject(error)
    })
    server.listen({ path }, () => resolve(server))
  })
}
