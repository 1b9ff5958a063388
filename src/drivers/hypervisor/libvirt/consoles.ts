import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { HypervisorError } from '../index.ts'
import { requireOwn, type Host } from './host.ts'
import { Connection } from './rpc/connection.ts'
import { CODE } from './rpc/errors.ts'
import { openDomainConsole, readDomainXml } from './rpc/domains.ts'
import { readDisplaySocket } from './xml/domain.ts'

const CONNECT_DEADLINE = 5_000
/**
 * libvirtd (9.0) hands a console over in one thread and removes a closed client in another, and crashes when both meet.
 * So no client disconnects while a console changes hands, which takes libvirtd milliseconds.
 */
const LINGER_MS = 1_000

/** Uses a separate connection, because a browser that reads slowly pauses all of it. */
export async function openSerialConsole(host: Host, uuid: string): Promise<Duplex> {
  const domain = await requireOwn(host, await host.control.get(), uuid)
  const connection = await Connection.open(host.socket)
  try {
    const stream = await openDomainConsole(connection, domain)
    stream.once('close', () => setTimeout(() => connection.close(), LINGER_MS))
    return stream
  } catch (error) {
    connection.close()
    // libvirt reports this for a machine that is just starting: its console will be there in a moment.
    if (error instanceof HypervisorError && error.code === CODE.failed) {
      throw new HypervisorError('invalid-state', 'the machine has no console yet', { code: error.code, cause: error })
    }
    throw error
  }
}

/** QEMU serves RFB on a socket that only root and QEMU's user can open; it is not reachable over the network. */
export async function openDisplaySocket(host: Host, uuid: string): Promise<Duplex> {
  const connection = await host.control.get()
  const domain = await requireOwn(host, connection, uuid)
  const path = readDisplaySocket(await readDomainXml(connection, domain, 'live'))
  if (path === null) throw new HypervisorError('invalid-state', 'the machine does not run, so it has no display')
  const socket = connect(path)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error('no answer')), CONNECT_DEADLINE)
  socket.once('connect', resolve).once('error', reject)
  try {
    await promise
    return socket
  } catch (cause) {
    socket.destroy()
    throw new HypervisorError('unreachable', 'the display of the machine does not answer', { cause })
  } finally {
    clearTimeout(timer)
    socket.removeListener('error', reject)
  }
}
