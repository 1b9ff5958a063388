/** What is sold from is called as no other of its kind, so that nobody has to guess which is meant. */
import { sql } from 'kysely'
import { Problem } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import '../tables.ts'

/** What is closed or retired keeps its names: routers are still there, and old invoices tell of it. Lists may not show it. */
const RETIRED = '; a retired one keeps its names'
const KINDS = {
  sites: { a: 'a site', also: '' },
  hypervisors: { a: 'a hypervisor', also: '' },
  plans: { a: 'a plan', also: RETIRED },
  images: { a: 'an image', also: RETIRED },
} as const
type Kind = keyof typeof KINDS

interface Names {
  /** Whose they are, where it exists. */
  readonly id?: number
  /** For programs. */
  readonly slug?: string | undefined
  /** For people: the same whatever its case, and without the blanks around it. */
  readonly name?: string | undefined
}
type Field = 'slug' | 'name'

/** Throws 409 with every name that another bears. */
export async function demandOwnNames(db: Db, kind: Kind, names: Names): Promise<void> {
  const { id = 0, slug = '', name = '' } = names
  const others = await db
    .selectFrom(kind)
    .select((eb) => [
      eb('slug', '=', slug).as('slug'),
      eb(sql`lower(btrim(name))`, '=', sql`lower(btrim(${name}))`).as('name'),
    ])
    .where('id', '!=', id)
    .execute()
  const taken = (['slug', 'name'] as const).filter((field) => others.some((other) => other[field]))
  if (taken.length > 0) throw refusal(kind, names, taken)
}

/** The same, also to the later of two that take one at the same moment. */
export async function underOwnNames<T>(db: Db, kind: Kind, names: Names, write: () => Promise<T>): Promise<T> {
  await demandOwnNames(db, kind, names)
  try {
    return await write()
  } catch (error) {
    const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null
    if (constraint === `${kind}_slug_key`) throw refusal(kind, names, ['slug'])
    if (constraint === `${kind}_name`) throw refusal(kind, names, ['name'])
    throw error
  }
}

function refusal(kind: Kind, names: Names, fields: readonly Field[]): Problem {
  const errors = fields.map((field) => ({
    field,
    message: `There is ${KINDS[kind].a} ${field === 'name' ? 'called ' : ''}"${names[field]}" already${KINDS[kind].also}.`,
  }))
  return new Problem(409, errors.map(({ message }) => message).join(' '), { errors })
}
