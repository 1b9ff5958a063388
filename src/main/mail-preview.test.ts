import { expect, test } from 'vitest'
import { readConfig } from '../platform/config.ts'
import { testDatabase } from '../platform/db/testing.ts'
import { createHttp } from '../platform/http/server.ts'
import { createLog } from '../platform/log.ts'
import { queueMail } from '../platform/mail.ts'
import { mailPreview } from './mail-preview.ts'

const SECRET_KEY = 'k'.repeat(32)
const { db } = await testDatabase()

async function portal(env: Record<string, string> = {}) {
  const config = readConfig(env, 'test')
  const { app } = await createHttp({
    config,
    log: createLog('silent'),
    secretKey: SECRET_KEY,
    secure: false,
    authenticate: () => Promise.resolve(null),
  })
  mailPreview(app, { db, config, secretKey: SECRET_KEY })
  return (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
    app.inject({ url, remoteAddress, headers: { host: '127.0.0.1:8080', ...headers } })
}

test('mails are shown as they are, and nothing in them can act', async () => {
  const get = await portal()
  const html = '<a href="https://portal.example.net/x">Go</a><script>alert(1)</script>'
  await queueMail(db, SECRET_KEY, {
    to: 'ann@example.net',
    userId: null,
    subject: '<b>Hello</b>',
    text: 'Hello & <hi>',
    html,
  })
  const list = await get('/dev/mails')
  expect(list.statusCode).toBe(200)
  expect(list.body).not.toContain('<b>')
  const path = /href="(\/dev\/mails\/\d+)"/.exec(list.body)![1]!
  const one = await get(path, { host: 'localhost:8080' }, '::1')
  expect(one.body).toContain('sandbox="allow-popups')
  expect(one.body).not.toContain('<script')
  expect(one.headers['content-security-policy']).toContain("default-src 'none'")
  expect((await get('/dev/mails/999999')).statusCode).toBe(404)
  expect((await get('/dev/mails/x')).statusCode).toBe(404)
})

const PROXIED = { HOST: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1,::1' }

test.each<[string, Record<string, string>, Record<string, string>, string]>([
  ['a mail server is set', { SMTP_URL: 'smtp://mail.example.net' }, {}, '127.0.0.1'],
  ['the portal listens to the world', { HOST: '0.0.0.0' }, {}, '127.0.0.1'],
  ['the demonstration is off', { DEMO: 'off' }, {}, '127.0.0.1'],
  ['the portal has a public address', { PUBLIC_URL: 'https://portal.example.net' }, {}, '127.0.0.1'],
  ['the demonstration has a public address', { PUBLIC_URL: 'https://a.example', DEMO: 'on' }, {}, '127.0.0.1'],
  ['the page asks under another name', {}, { host: 'rebound.example.org' }, '127.0.0.1'],
  ['a trusted proxy passes a forged host on', PROXIED, { 'x-forwarded-host': 'localhost' }, '127.0.0.1'],
  ['a proxy passes a forged Host header on', PROXIED, { 'x-forwarded-for': '203.0.113.9' }, '127.0.0.1'],
  ['a proxy says so in the header of RFC 7239', {}, { forwarded: 'for=127.0.0.1' }, '127.0.0.1'],
  ['a proxy names the protocol alone', {}, { 'x-forwarded-proto': 'https' }, '127.0.0.1'],
  ['a proxy names the address in its own header', {}, { 'x-real-ip': '127.0.0.1' }, '127.0.0.1'],
  ['another machine asks', {}, {}, '203.0.113.9'],
])('there is no such page when %s', async (_, env, headers, remoteAddress) => {
  const get = await portal(env)
  expect((await get('/dev/mails', headers, remoteAddress)).statusCode).toBe(404)
})
