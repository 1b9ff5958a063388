/** Creates web and worker roles for a test database, dropped after the file; the tests' own role is the owner. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll } from 'vitest'
import type { DatabaseRoles } from './grants.ts'

export async function testRoles(url: string): Promise<DatabaseRoles> {
  const mark = randomBytes(4).toString('hex')
  const roles = { web: `web_${mark}`, worker: `worker_${mark}` }
  const each = async (statements: (role: string) => readonly string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const role of Object.values(roles)) for (const statement of statements(role)) await client.query(statement)
    await client.end()
  }
  await each((role) => [`create role ${role} login`])
  afterAll(() => each((role) => [`drop owned by ${role}`, `drop role ${role}`]))
  return roles
}

/** Returns the URL of the same database for another role. */
export const asRole = (url: string, role: string): string => url.replace(/(?<=^\w+:\/\/)[^@/]*(?=@)/, role)
