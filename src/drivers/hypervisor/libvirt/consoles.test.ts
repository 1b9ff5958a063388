import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openSerialConsole } from './consoles.ts'
import type { Host } from './host.ts'
import { Connection } from './rpc/connection.ts'
import { FRAME_STATUS, FRAME_TYPE } from './rpc/frame.ts'
import { PROCEDURES } from './rpc/procedures.ts'
import { errorBody, reply, startDaemon } from './rpc/fake-libvirtd.ts'
import { XdrWriter } from './rpc/xdr.ts'

const UUID = '7c1f3c53-9a67-4a5b-8c67-0c1f0f2b7a11'
const domain = new XdrWriter()
  .string('lh-test-router')
  .opaque(Buffer.from(UUID.replaceAll('-', ''), 'hex'))
  .int(1)
  .finish()

it('does not hang up on libvirtd while it hands the console to another', async () => {
  let holder: Socket | undefined
  await using daemon = await startDaemon((call, socket) => {
    if (call.procedure === PROCEDURES.domainLookup.number) return domain
    if (call.procedure !== PROCEDURES.openConsole.number) return null
    holder = socket
    socket.write(reply(call, Buffer.alloc(0)))
    socket.write(reply(call, errorBody(1, 'taken over'), FRAME_TYPE.stream, FRAME_STATUS.error))
    return null
  })
  const control = await Connection.open(daemon.path)
  const host = {
    instance: 'test',
    socket: daemon.path,
    control: { get: () => Promise.resolve(control) },
    known: new Set([UUID]),
  } as unknown as Host
  const console = await openSerialConsole(host, UUID)
  if (!console.closed) await once(console, 'close')
  const hungUp = once(holder!, 'close')
  expect(await Promise.race([hungUp.then(() => 'hung up'), sleep(200, 'still there')])).toBe('still there')
  await hungUp
  control.close()
})
