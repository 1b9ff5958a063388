/**
 * Finds which probe notices that a condition is missing, for scripts/isolation.test.ts. In its copy of the tree each
 * condition on the owner asks `isConditionRemoved` whether it applies.
 */
import { writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { A, B, db, tables } from './testing-portal.ts'
import { seedTenant } from './testing-tenant-rows.ts'

/** One attempt to reach A's rows; returns what of A it got or touched. */
export interface Probe {
  readonly name: string
  /** Its changes are rolled back. */
  readonly rolledBack?: boolean
  readonly leaks: () => Promise<readonly string[]>
}

/** `file` receives the result. */
export async function writeWhoNotices(all: readonly Probe[], file: string): Promise<void> {
  const reached = new Set<number>()
  let removed: number | null = null
  Object.assign(globalThis, { isConditionRemoved: (number: number) => (reached.add(number), number === removed) })
  const ask = async ({ leaks, rolledBack }: Probe): Promise<readonly string[]> => {
    const found = await leaks()
    if (rolledBack !== true) {
      removed = null
      await seedAgain()
    }
    return found
  }

  await seedAgain()
  const reaching = new Map<number, Probe[]>()
  for (const probe of all) {
    reached.clear()
    expect(await ask(probe), probe.name).toEqual([])
    for (const number of reached) reaching.set(number, [...(reaching.get(number) ?? []), probe])
  }
  const noticed: Record<number, string> = {}
  for (const [number, those] of reaching)
    for (const probe of those) {
      removed = number
      const [leak] = await ask(probe)
      removed = null
      if (leak === undefined) continue
      noticed[number] = `${probe.name}: ${leak}`
      // The probe passes again, so only the missing condition made it fail.
      expect(await ask(probe), probe.name).toEqual([])
      break
    }
  await writeFile(file, JSON.stringify({ noticed, reached: [...reaching.keys()] }))
}

const ANYTHING = [A, B]
  .map(({ number, account, marker }) => String.raw`\m${number}\M|\m${account}\M|${marker}`)
  .join('|')

/** Resets both customers, except for the sessions and tokens that the callers use. */
async function seedAgain(): Promise<void> {
  await db.connection().execute(async (one) => {
    await sql`set session_replication_role = replica`.execute(one)
    await sql`delete from throttles`.execute(one)
    for (const table of [...tables.keys(), 'totp_factors']) {
      const keepsOwn = ['sessions', 'api_tokens'].includes(table) ? sql`and t.id in (${A.number}, ${B.number})` : sql``
      await sql`delete from ${sql.table(table)} t where to_jsonb(t)::text ~ ${ANYTHING} ${keepsOwn}`.execute(one)
    }
    await sql`set session_replication_role = default`.execute(one)
  })
  for (const tenant of [B, A]) await seedTenant(db, tables, tenant)
}
