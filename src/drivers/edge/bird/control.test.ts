import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BirdControl } from './control.ts'

describe('a peer on the control socket that is not as it should be', () => {
  let directory: string
  let path: string
  let server: Server
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lh-control-'))
    path = join(directory, 'ctl')
  })
  afterEach(async () => {
    server?.close()
    await rm(directory, { recursive: true })
  })

  const listen = async (onConnection: (socket: Socket) => void): Promise<void> => {
    server = createServer((socket) => {
      socket.on('error', () => {})
      onConnection(socket)
    }).listen(path)
    await once(server, 'listening')
  }
  const connect = () => BirdControl.connect(path, { restricted: false })
  const HELLO = '0001 BIRD 2.0.12 ready.\n'

  test('absent: unreachable', async () => {
    await expect(connect()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('another program: unreachable', async () => {
    await listen((socket) => socket.write('220 mail.example ESMTP\n'))
    await expect(connect()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('hangs up in the middle of an answer: unreachable', async () => {
    await listen((socket) => {
      socket.write(HELLO)
      socket.once('data', () => socket.end('1007-half an ans'))
    })
    using control = await connect()
    await expect(control.command('show route')).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(control.command('show route')).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('says nothing: timeout, and the connection is not used again', async () => {
    await listen((socket) => socket.write(HELLO))
    using control = await connect()
    await expect(control.command('show status', { deadlineMs: 50 })).rejects.toMatchObject({ kind: 'timeout' })
    await expect(control.command('show status')).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('never stops talking: cut at the size asked for', async () => {
    await listen((socket) => {
      socket.write(HELLO)
      socket.once('data', () => socket.write('1007-route\n'.repeat(200_000)))
    })
    using control = await connect()
    await expect(control.command('show route', { maxSize: 10_000 })).resolves.toMatchObject({ truncated: true })
  })

  test.each(['show status\nconfigure', 'show "\r"', '', 'show \u0000', 'show \u2028'])(
    '%j is not a command that leaves us',
    async (text) => {
      await listen((socket) => socket.write(HELLO))
      using control = await connect()
      await expect(control.command(text)).rejects.toMatchObject({ kind: 'internal' })
    },
  )
})
