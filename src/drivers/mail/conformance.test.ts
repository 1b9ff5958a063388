import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { addEffectGuard } from '../../kernel/effects.ts'
import { createFolderMailer } from './folder.ts'
import { MailError, type MailMessage, type Mailer } from './index.ts'
import { createSmtpMailer } from './smtp.ts'

const FROM = 'Longhaul <noreply@longhaul.example>'

interface Bench {
  readonly mailer: Mailer
  readonly received: () => Promise<Email[]>
  readonly close: () => Promise<void>
}

async function folderBench(): Promise<Bench & { directory: string }> {
  const directory = join(await mkdtemp(join(tmpdir(), 'longhaul-mail-')), 'inbox')
  const mailer = createFolderMailer({ directory, from: FROM })
  return {
    mailer,
    directory,
    async received() {
      const names = await readdir(directory).catch(() => [])
      expect(names.filter((name) => !name.endsWith('.eml'))).toEqual([])
      return Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(directory, name)))))
    },
    async close() {
      await mailer.close()
      await rm(join(directory, '..'), { recursive: true })
    },
  }
}

interface SmtpRejection {
  at: 'mail' | 'rcpt' | 'data'
  code: number
}

async function smtpBench(denial?: SmtpRejection): Promise<Bench> {
  const messages: Promise<Email>[] = []
  const refuse = (at: SmtpRejection['at']) =>
    denial?.at === at ? Object.assign(new Error('refused by rule'), { responseCode: denial.code }) : null
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onMailFrom: (_address, _session, done) => done(refuse('mail')),
    onRcptTo: (_address, _session, done) => done(refuse('rcpt')),
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const refused = refuse('data')
        if (!refused) messages.push(PostalMime.parse(Buffer.concat(chunks)))
        done(refused)
      })
    },
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the test server has no port')
  const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${address.port}`, from: FROM })
  return {
    mailer,
    received: () => Promise.all(messages),
    async close() {
      await mailer.close()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}

const message = (change: Partial<MailMessage> = {}): MailMessage => ({
  to: 'noc@kestrel.example',
  subject: 'Confirm AS500010 für Kestrel',
  text: 'Open https://portal.example/verify/asn?token=abc\n.\nA line with one dot stands above.\n',
  html: '<p>Open <a href="https://portal.example/verify/asn?token=abc">the link</a></p>',
  messageId: '<1.asn@longhaul.example>',
  ...change,
})

const open: Bench[] = []
afterEach(async () => {
  for (const bench of open.splice(0)) await bench.close()
})
const use = <B extends Bench>(bench: B): B => (open.push(bench), bench)

describe.each([
  ['folder', folderBench],
  ['smtp', () => smtpBench()],
])('%s mailer', (kind, start) => {
  it('delivers both texts, the subject and the id as they were given', async () => {
    const { mailer, received } = use(await start())
    expect(mailer.kind).toBe(kind)
    await mailer.send(message())
    const [mail, ...more] = await received()
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      subject: 'Confirm AS500010 für Kestrel',
      messageId: '<1.asn@longhaul.example>',
      from: { name: 'Longhaul', address: 'noreply@longhaul.example' },
      to: [{ address: 'noc@kestrel.example' }],
    })
    expect(mail?.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(message().text.trimEnd())
    expect(mail?.html).toContain('href="https://portal.example/verify/asn?token=abc"')
  })

  it('dates the message and marks it as sent by a machine', async () => {
    const { mailer, received } = use(await start())
    await mailer.send(message())
    const [mail] = await received()
    expect(Math.abs(Date.now() - Date.parse(mail?.date ?? ''))).toBeLessThan(60_000)
    expect(mail?.headers.find((header) => header.key === 'auto-submitted')?.value).toBe('auto-generated')
  })

  it.each([
    ['two receivers', { to: 'a@example.net, b@example.org' }],
    ['a header in the receiver', { to: 'a@example.net\r\nBcc: b@example.org' }],
    ['a header in the subject', { subject: 'Hello\r\nBcc: b@example.org' }],
    ['a header in the id', { messageId: '<1@x>\r\nBcc: b@example.org' }],
    ['no receiver', { to: '' }],
  ])('refuses %s and sends nothing', async (_what, change) => {
    const { mailer, received } = use(await start())
    await expect(mailer.send(message(change))).rejects.toMatchObject({ name: 'MailError', kind: 'rejected' })
    expect(await received()).toEqual([])
  })
})

describe('folder mailer on disk', () => {
  it('leaves one file when the same message is sent again', async () => {
    const { mailer, received } = use(await folderBench())
    await mailer.send(message())
    await mailer.send(message())
    await mailer.send(message({ messageId: '<2.asn@longhaul.example>' }))
    expect(await received()).toHaveLength(2)
  })

  it('writes links whole, so that they can be copied out of the file', async () => {
    const { mailer, directory, received } = use(await folderBench())
    const link = `https://portal.example/verify/email?token=${'Aa0_-'.repeat(20)}`
    const text = `Grüße, öffne:\n${link}\n\n-- \nLonghaul · 50=3D Σ\n--Part_1\n`
    await mailer.send({ ...message(), text, html: `<p>Grüße <a href="${link}">öffne</a></p>` })
    const [file] = await readdir(directory)
    const written = await readFile(join(directory, file!), 'utf8')
    expect(written.split(link)).toHaveLength(3)
    const [mail] = await received()
    expect(mail?.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(text.trimEnd())
    expect(mail?.html).toContain(`href="${link}">öffne`)
  })

  it('keeps its files from other users of the machine', async () => {
    const { mailer, directory } = use(await folderBench())
    await mailer.send(message())
    const [name] = await readdir(directory)
    expect((await stat(directory)).mode & 0o077).toBe(0)
    expect((await stat(join(directory, name!))).mode & 0o077).toBe(0)
  })

  it('says which folder it cannot write', async () => {
    const mailer = createFolderMailer({ directory: '/dev/null/inbox', from: FROM })
    await expect(mailer.send(message())).rejects.toThrow(/\/dev\/null\/inbox cannot be written/)
  })
})

describe('smtp mailer and its server', () => {
  it.each([
    [{ at: 'rcpt', code: 550 }, 'rejected'],
    [{ at: 'data', code: 554 }, 'rejected'],
    [{ at: 'rcpt', code: 451 }, 'unreachable'],
    [{ at: 'mail', code: 553 }, 'unreachable'],
  ] as const)('takes refusal %j as %s', async (denial, kind) => {
    const { mailer } = use(await smtpBench(denial))
    await expect(mailer.send(message())).rejects.toMatchObject({ name: 'MailError', kind })
  })

  it('calls a server that is not there unreachable', async () => {
    const bench = await smtpBench()
    await bench.close()
    await expect(bench.mailer.send(message())).rejects.toBeInstanceOf(MailError)
    const later = createSmtpMailer({ url: 'smtp://127.0.0.1:1', from: FROM })
    await expect(later.send(message())).rejects.toMatchObject({ kind: 'unreachable' })
    await later.close()
  })

  it('does not send the message when the lease has ended by the time the server takes it', async () => {
    const removeGuard = addEffectGuard(() => {
      throw new Error('the lease ended')
    })
    try {
      const { mailer, received } = use(await smtpBench())
      await expect(mailer.send(message())).rejects.toMatchObject({ kind: 'unreachable' })
      expect(await received()).toEqual([])
    } finally {
      removeGuard()
    }
    const { mailer, received } = use(await smtpBench())
    await mailer.send(message())
    expect(await received()).toHaveLength(1)
  })

  it('refuses an address that is no mail server', () => {
    expect(() => createSmtpMailer({ url: 'http://example.net', from: FROM })).toThrow(/smtp:\/\/user:password@host/)
  })
})
