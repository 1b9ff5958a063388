/** An unreliable SMTP server. It keeps its port while it is away. */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerAddress, type SMTPServerSession } from 'smtp-server'

type Mood = 451 | 550 | null

export interface MailServer {
  readonly url: string
  leave(): Promise<void>
  comeBack(): Promise<void>
  /** Applies to every recipient until changed; null accepts everything. */
  refuseWith(mood: Mood): void
  /** Returns how many emails this address got. */
  emailsTo(address: string): number
  /** Returns how often an email to this address was rejected. */
  refused(address: string): number
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const port = await findPort()
  const taken: string[] = []
  const rejections: string[] = []
  let mood: Mood = null
  let server: SMTPServer | undefined

  const open = async (): Promise<void> => {
    server = new SMTPServer({
      authOptional: true,
      // Connections that a sender keeps for later are cut, as when a server dies.
      closeTimeout: 100,
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo({ address }: SMTPServerAddress, _session: SMTPServerSession, answer) {
        if (mood === null) return answer()
        rejections.push(address)
        answer(Object.assign(new Error(mood === 451 ? 'Try again later' : 'No such mailbox'), { responseCode: mood }))
      },
      onData(stream, session, answer) {
        stream.resume().on('end', () => {
          taken.push(...session.envelope.rcptTo.map(({ address }) => address))
          answer()
        })
      },
    })
    // A client that disconnects in the middle does not concern the test.
    server.on('error', () => undefined)
    await new Promise<void>((resolve) => server!.listen(port, '127.0.0.1', resolve))
  }
  const leave = async (): Promise<void> => {
    const leaving = server
    server = undefined
    if (leaving) await new Promise<void>((resolve) => leaving.close(resolve))
  }
  const count = (list: readonly string[], address: string): number => list.filter((one) => one === address).length
  await open()
  return {
    url: `smtp://127.0.0.1:${port}`,
    leave,
    comeBack: open,
    refuseWith: (next) => (mood = next),
    emailsTo: (address) => count(taken, address),
    refused: (address) => count(rejections, address),
    close: leave,
  }
}

async function findPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
