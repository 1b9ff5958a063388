/** Consoles and event streams end within 5 s of the session or API token that opened them, with a real account. */
import path from 'node:path'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { DEMO_PASSWORD, linkIn, listMails, waitForMail } from '../product.ts'
import { createCaller, signIn, type Caller } from './api-client.ts'
import { testServer } from './own-test-server.ts'

const WITHIN_MS = 5_000
const CUSTOMER = 'customer@example.net'

type Send = (method: string, target: string) => Promise<unknown>

/** Opens a console and an event stream; reports when each has ended, and whether typed keys still come back. */
async function open(headers: Record<string, string>, send: Send) {
  const { url } = (await send('POST', `/api/virtual_machines/${testServer.router.id}/serial`)) as { url: string }
  const socket = new WebSocket(url, { headers, origin: testServer.url })
  let echoed = ''
  socket.on('message', (data: Buffer) => (echoed += data.toString()))
  const consoleEnd = new Promise<number>((resolve) => socket.once('close', () => resolve(performance.now())))
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.send('hostname\r')
  await expect.poll(() => echoed).toContain('hostname')
  const stream = await fetch(`${testServer.url}/api/events`, { headers })
  expect(stream.status).toBe(200)
  const streamEnd = stream.text().then(() => performance.now())
  return {
    async endsWithin5sOf(cause: () => Promise<unknown>): Promise<void> {
      await cause()
      const before = performance.now()
      expect((await consoleEnd) - before).toBeLessThan(WITHIN_MS)
      expect((await streamEnd) - before).toBeLessThan(WITHIN_MS)
    },
  }
}

const cookieOf = (caller: Caller) => ({ cookie: [...caller.cookies].map((pair) => pair.join('=')).join('; ') })
const openBySession = async () => {
  const caller = await signIn(testServer.url, 'customer')
  return { caller, opened: await open(cookieOf(caller), (method, target) => caller.must(method, target)) }
}

test('a console and an event stream end with signing out', async () => {
  const { caller, opened } = await openBySession()
  await opened.endsWithin5sOf(() => caller.must('DELETE', '/api/session'))
})

test('a console and an event stream end when their session is ended from another browser', async () => {
  const { caller, opened } = await openBySession()
  const elsewhere = await signIn(testServer.url, 'customer')
  const sessions = await caller.must<{ id: number; current: boolean }[]>('GET', '/api/sessions')
  const { id } = sessions.find(({ current }) => current)!
  await opened.endsWithin5sOf(() => elsewhere.must('DELETE', `/api/sessions/${id}`))
})

test('a console and an event stream end when another browser signs out everywhere else', async () => {
  const { opened } = await openBySession()
  const elsewhere = await signIn(testServer.url, 'customer')
  await opened.endsWithin5sOf(() => elsewhere.must('DELETE', '/api/sessions'))
})

test('a console and an event stream end when the password is changed in another browser', async () => {
  const { opened } = await openBySession()
  const elsewhere = await signIn(testServer.url, 'customer')
  await opened.endsWithin5sOf(() => elsewhere.must('PUT', '/api/user/password', { password: DEMO_PASSWORD }))
})

test('a console and an event stream end when the password is reset by email', async () => {
  const { opened } = await openBySession()
  const otherUser = createCaller(testServer.url)
  const folder = path.join(testServer.dataDir, 'mail')
  // Another test of this server may have reset this password before.
  const earlier = await listMails(folder)
  await otherUser.must('POST', '/api/password/reset', { email: CUSTOMER })
  const mail = await waitForMail(folder, CUSTOMER, /password\/new/, 30_000, earlier)
  const token = new URL(linkIn(mail, '/password/new'), testServer.url).searchParams.get('token')
  await opened.endsWithin5sOf(() => otherUser.must('POST', '/api/password', { token, password: DEMO_PASSWORD }))
})

test('a console and an event stream of a program end when its API token is revoked', async () => {
  const owner = await signIn(testServer.url, 'customer')
  const scopes = ['routers:write', 'account:read']
  const order = { name: 'console of a program', scopes }
  const { id, token } = await owner.must<{ id: number; token: string }>('POST', '/api/user/api_tokens', order)
  const headers = { authorization: `Bearer ${token}` }
  const opened = await open(headers, async (method, target) => {
    const answer = await fetch(testServer.url + target, { method, headers })
    expect(answer.status).toBe(201)
    return answer.json()
  })
  await opened.endsWithin5sOf(() => owner.must('DELETE', `/api/user/api_tokens/${id}`))
})

test('an event stream that staff opened as a customer ends with the impersonation', async () => {
  const staff = await signIn(testServer.url, 'staff')
  const { id } = await staff.must<{ id: number }>('POST', `/api/admin/users/${testServer.customerId}/impersonation`, {
    reason: 'They cannot find the prefix they announced.',
  })
  const stream = await fetch(`${testServer.url}/api/events`, { headers: cookieOf(staff) })
  const end = stream.text().then(() => performance.now())
  const answer = await staff.send('DELETE', '/api/impersonation', undefined, { 'x-impersonation': String(id) })
  expect(answer.status).toBeLessThan(300)
  const before = performance.now()
  expect((await end) - before).toBeLessThan(WITHIN_MS)
})
