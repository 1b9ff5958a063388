import { afterEach, expect, test } from 'vitest'
import { lacksMailServer } from './mail-server.ts'
import { readConfig } from '../platform/config.ts'
import { testDatabase } from '../platform/db/testing.ts'
import { addUser } from './testing.ts'

const { db } = await testDatabase()
afterEach(() => db.deleteFrom('users').execute())

const PUBLIC_URL = 'https://portal.example.net'
const SMTP_URL = 'smtp://mail.example.net'

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ DEMO: 'off' }, false],
  [{ DEMO: 'off', PUBLIC_URL: 'http://localhost:8080' }, false],
  [{ PUBLIC_URL }, false],
  [{ PUBLIC_URL, DEMO: 'on' }, false],
  [{ PUBLIC_URL, DEMO: 'off' }, true],
  [{ PUBLIC_URL, DEMO: 'off', SMTP_URL }, false],
  [{ PUBLIC_URL: 'http://192.0.2.1:8080', DEMO: 'off' }, true],
  [{ HOST: '0.0.0.0' }, true],
  [{ HOST: '::', DEMO: 'off', PUBLIC_URL: 'http://localhost:8080' }, true],
  [{ HOST: '0.0.0.0', SMTP_URL }, false],
])('an empty installation with %j is refused for want of a mail server: %s', async (env, refused) => {
  const lack = await lacksMailServer(readConfig(env, 'r'), db)
  expect(lack !== null).toBe(refused)
  if (refused) expect(lack).toMatch(/^SMTP_URL: got nothing, takes an smtp:\/\/ or smtps:\/\/ address/)
})

test('a public installation with accounts of its own needs a mail server also where no one switched DEMO off', async () => {
  await addUser(db, 'robin@example.net')
  expect(await lacksMailServer(readConfig({ PUBLIC_URL }, 'r'), db)).toContain(`PUBLIC_URL is ${PUBLIC_URL}`)
})

test('a demonstration with a public address starts again with the accounts that it made', async () => {
  await addUser(db, 'staff@example.net')
  expect(await lacksMailServer(readConfig({ PUBLIC_URL }, 'r'), db)).toBeNull()
})
