import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { testDatabase } from '../db/testing.ts'
import { createLog } from '../log.ts'
import { CSRF_COOKIE } from './csrf.ts'
import { mount } from './mount.ts'
import { mountPortal } from './portal.ts'
import { createHttp } from './server.ts'

const directory = await mkdtemp(path.join(tmpdir(), 'longhaul-headers-'))
await mkdir(path.join(directory, 'assets'))
await writeFile(path.join(directory, 'index.html'), '<!doctype html><title>%PRODUCT_NAME%</title>')
await mkdir(path.join(directory, '.vite'))
await writeFile(
  path.join(directory, '.vite/manifest.json'),
  JSON.stringify({ '../../routes/login.tsx?tsr-split=component': { file: 'assets/login.js' } }),
)
await writeFile(path.join(directory, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
await writeFile(path.join(directory, 'assets/app-A1.js'), 'app')
const { db } = await testDatabase()

const api = defineApi({
  'GET /api/open': { summary: 'Anyone', access: 'public', ok: [200, z.object({})] },
  'GET /api/mine': { summary: 'Signed in', access: 'session', ok: [200, z.object({})] },
})

async function serve(secure: boolean) {
  const { app, cookies } = await createHttp({
    config: { RELEASE: 'r1', TRUSTED_PROXIES: [] },
    log: createLog('silent'),
    secretKey: 'k'.repeat(32),
    secure,
    authenticate: () => Promise.resolve(null),
  })
  mount(app, api, { 'GET /api/open': () => ({}), 'GET /api/mine': () => ({}) }, { db, area: 'account' })
  app.post('/api/session', { config: { endpoint: 'session', unauthenticated: true } }, async (_request, reply) => {
    cookies.set(reply, 'secret', 60)
    return reply.code(204).send()
  })
  await mountPortal(app, {
    directory,
    productName: '</title><script>alert(1)</script>',
    release: 'r1',
    sessionCookie: 'session',
    pageConfig: () => Promise.resolve({ supportEmail: 'a@example.net', featureUrl: '', termsUrl: '' }),
  })
  return app
}
const open = await serve(false)
const https = await serve(true)
afterAll(async () => {
  await Promise.all([open.close(), https.close(), rm(directory, { recursive: true })])
})

const ANSWERS = [
  ['a page', '/login', 200],
  ['a page that does not exist', '/no/such/page', 404],
  ['a script', '/assets/app-A1.js', 200],
  ['an icon', '/favicon.svg', 200],
  ['an answer of the API', '/api/open', 200],
  ['a denial', '/api/mine', 401],
  ['a call that does not exist', '/api/no/such/call', 404],
  ['an address that cannot be read', '/api/%zz', 400],
] as const

describe.each(ANSWERS)('%s', (_, url, status) => {
  test('runs scripts of this site and of Stripe alone, is framed by no one, and is what its type says', async () => {
    const answer = await open.inject({ url })
    expect(answer.statusCode).toBe(status)
    const policy = Object.fromEntries(
      String(answer.headers['content-security-policy'])
        .split('; ')
        .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
    )
    expect(policy).toMatchObject({
      'default-src': "'self'",
      'script-src': "'self' https://js.stripe.com",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    })
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(answer.headers['content-type']).toMatch(/; charset=utf-8$|^image\/svg\+xml$/)
  })

  test('asks browsers to come back over https alone, for a year, where it came over https', async () => {
    expect((await https.inject({ url })).headers['strict-transport-security']).toBe(
      'max-age=31536000; includeSubDomains',
    )
    expect((await open.inject({ url })).headers).not.toHaveProperty('strict-transport-security')
  })

  test('is given to no script of another origin', async () => {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' }
    for (const method of ['GET', 'OPTIONS'] as const)
      expect(Object.keys((await open.inject({ method, url, headers })).headers).join(' ')).not.toContain(
        'access-control',
      )
  })
})

test.each([
  ['/api/open', 'no-store'],
  ['/api/mine', 'no-store'],
  ['/api/no/such/call', 'no-store'],
  ['/login', 'private, no-cache'],
  ['/no/such/page', 'private, no-cache'],
  ['/assets/app-A1.js', 'public, max-age=31536000, immutable'],
])('%s is kept by caches as %s', async (url, control) => {
  expect((await open.inject({ url })).headers['cache-control']).toBe(control)
})

test('a request that is no HTTP is refused with the same headers', async () => {
  await https.listen({ port: 0, host: '127.0.0.1' })
  const { port } = https.server.address() as { port: number }
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'))
    let text = ''
    socket.on('data', (data) => (text += data.toString()))
    socket.on('end', () => resolve(text.toLowerCase()))
    socket.on('error', reject)
  })
  expect(answer).toMatch(/^http\/1\.1 400 /)
  for (const name of ['content-security-policy', 'x-content-type-options', 'strict-transport-security'])
    expect(answer).toContain(`\r\n${name}: `)
})

test('over https the session cookie is bound to the host, to https and to HTTP, and both are SameSite', async () => {
  const { cookies } = await https.inject({ method: 'POST', url: '/api/session' })
  const session = cookies.find(({ name }) => name === '__Host-session')
  expect(session).toMatchObject({ path: '/', httpOnly: true, secure: true, sameSite: 'Lax' })
  expect(session).not.toHaveProperty('domain')
  // The portal's scripts read this cookie, and its name is part of the API.
  const csrf = cookies.find(({ name }) => name === CSRF_COOKIE)
  expect(csrf).toMatchObject({ path: '/', secure: true, sameSite: 'Lax' })
  expect(csrf).not.toHaveProperty('httpOnly')
})

test('what the operator sets is text in the page, whatever it holds', async () => {
  const { body } = await open.inject('/login')
  expect(body).toMatch(/^<!doctype html><title>[^<>]+<\/title>$/)
})
