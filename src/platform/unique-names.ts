/** Names in the inventory are unique within their kind. */
import { sql } from 'kysely'
import { Problem } from '../kernel/problem.ts'
import { violates } from './db/constraint.ts'
import type { Db } from './db/index.ts'

/** Tables with a `slug` for programs and a `name` for people, which is unique regardless of case and surrounding blanks. */
export interface UniqueNameKind {
  readonly table: string
  /** With its article: `a site`. */
  readonly a: string
  /**
   * Lists may hide retired items, but those keep their names: they may still be in use, and old invoices mention them.
   */
  readonly retires?: true
}

interface Names {
  /** The id of the row, if it exists already. */
  readonly id?: number
  readonly slug?: string | undefined
  readonly name?: string | undefined
}
type Field = 'slug' | 'name'

/** Throws 409 with every name that another row has. */
export async function requireUniqueNames(db: Db, kind: UniqueNameKind, names: Names): Promise<void> {
  const { id = 0, slug = '', name = '' } = names
  const { rows: others } = await sql<Record<Field, boolean>>`
    select slug = ${slug} as slug, lower(btrim(name)) = lower(btrim(${name})) as name
    from ${sql.table(kind.table)} where id <> ${id}`.execute(db)
  const taken = (['slug', 'name'] as const).filter((field) => others.some((other) => other[field]))
  if (taken.length > 0) throw denial(kind, names, taken)
}

/** Does the same for concurrent requests: the later of two gets the 409. */
export async function withUniqueNames<T>(
  db: Db,
  kind: UniqueNameKind,
  names: Names,
  write: () => Promise<T>,
): Promise<T> {
  await requireUniqueNames(db, kind, names)
  try {
    return await write()
  } catch (error) {
    if (violates(error, `${kind.table}_slug_key`)) throw denial(kind, names, ['slug'])
    if (violates(error, `${kind.table}_name`)) throw denial(kind, names, ['name'])
    throw error
  }
}

function denial({ a, retires }: UniqueNameKind, names: Names, fields: readonly Field[]): Problem {
  const errors = fields.map((field) => {
    const there = `There is already ${a} ${field === 'name' ? 'called ' : ''}"${names[field]}"`
    return { field, message: retires ? `${there}. Retired ones keep their names.` : `${there}.` }
  })
  return new Problem(409, errors.map(({ message }) => message).join(' '), { code: 'already_exists', errors })
}
