import { expect, test } from 'vitest'
import { readConfig } from './platform/config.ts'
import { testDatabase } from './platform/db/testing.ts'
import { createHttp } from './platform/http/server.ts'
import { createLog } from './platform/log.ts'
import { queueMail } from './platform/mail.ts'
import { mailPreview } from './mail-preview.ts'

const { db } = await testDatabase()

async function portal(env: Record<string, string> = {}) {
  const config = readConfig(env, 'test')
  const { app } = await createHttp({
    config,
    log: createLog('silent'),
    secretKey: 'k'.repeat(32),
    secure: false,
    authenticate: () => Promise.resolve(null),
  })
  mailPreview(app, { db, config })
  return (url: string, host = '127.0.0.1:8080') => app.inject({ url, headers: { host } })
}

test('mails are shown as they are, and nothing in them can act', async () => {
  const get = await portal()
  const html = '<a href="https://portal.example.net/x">Go</a><script>alert(1)</script>'
  await queueMail(db, { to: 'ann@example.net', userId: null, subject: '<b>Hello</b>', text: 'Hello & <hi>', html })
  const list = await get('/dev/mails')
  expect(list.statusCode).toBe(200)
  expect(list.body).not.toContain('<b>')
  const path = /href="(\/dev\/mails\/\d+)"/.exec(list.body)![1]!
  const one = await get(path, 'localhost:8080')
  expect(one.body).toContain('sandbox="allow-popups')
  expect(one.body).not.toContain('<script')
  expect(one.headers['content-security-policy']).toContain("default-src 'none'")
  expect((await get('/dev/mails/999999')).statusCode).toBe(404)
  expect((await get('/dev/mails/x')).statusCode).toBe(404)
})

test.each([
  ['a mail server is set', { SMTP_URL: 'smtp://mail.example.net' }, '127.0.0.1:8080'],
  ['the portal listens to the world', { HOST: '0.0.0.0' }, '127.0.0.1:8080'],
  ['the page asks under another name', {}, 'rebound.example.org'],
])('there is no such page when %s', async (_, env, host) => {
  const get = await portal(env)
  expect((await get('/dev/mails', host)).statusCode).toBe(404)
})
