/**
 * A small fake of VIES for tests: it answers in VIES's formats, and can be down, return errors or garbage, and not
 * answer.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeVies {
  readonly base: string
  /** Every body that was sent to it. */
  readonly asked: readonly Record<string, string>[]
  /** Replaces the next answers: an error of VIES, a text sent unchanged, or no answer at all. */
  answerWith(next: { error: string } | { text: string } | 'silence' | null): void
  close(): Promise<void>
}

export async function startFakeVies(holders: ReadonlyMap<string, string>): Promise<FakeVies> {
  const asked: Record<string, string>[] = []
  let instead: Parameters<FakeVies['answerWith']>[0] = null
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (instead === 'silence') return
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>
      asked.push(body)
      const send = (text: string) => response.writeHead(200, { 'content-type': 'application/json' }).end(text)
      if (instead && 'text' in instead) return send(instead.text)
      if (instead) return send(JSON.stringify({ actionSucceed: false, errorWrappers: [instead] }))
      const holder = holders.get(`${body['countryCode']}${body['vatNumber']}`)
      return send(
        JSON.stringify({
          countryCode: body['countryCode'],
          vatNumber: body['vatNumber'],
          requestDate: '2026-03-02T09:00:00.000Z',
          valid: holder !== undefined,
          requestIdentifier: body['requesterNumber'] ? `WAPIAAAA${asked.length}` : '',
          name: holder ?? '---',
          address: '---',
        }),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answerWith(next) {
      instead = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
