/** The manifest of a backup. A restore uses it to detect a damaged backup before it changes anything. */
import { z } from 'zod'

const digest = z.string().regex(/^[0-9a-f]{64}$/)
/** Names become part of statements, quoted; names longer than PostgreSQL keeps are rejected. */
const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)

export const manifestShape = z.object({
  format: z.literal(1),
  release: z.string(),
  takenAt: z.iso.datetime(),
  /** Applied to the database, in order. */
  migrations: z.array(z.string()),
  /** In an order in which each table comes after those that it refers to. */
  tables: z.array(z.object({ name, columns: z.array(name), rows: z.int().nonnegative(), sha256: digest })),
  /** Null: never used. */
  sequences: z.array(
    z.object({
      name,
      lastValue: z
        .string()
        .regex(/^-?\d{1,19}$/)
        .nullable(),
    }),
  ),
  /** `file`: the key is in the archive. `settings`: it is not, and has to be set again. Null: the portal never ran. */
  secretKey: z.object({ from: z.enum(['file', 'settings']), sha256: digest }).nullable(),
})

export type Manifest = z.output<typeof manifestShape>

export const MANIFEST = 'manifest.json'
export const SECRET_KEY = 'secret-key'
export const chunkName = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(6, '0')}.copy`
export const tableOfChunk = (entry: string): string | undefined => /^tables\/([a-z0-9_]+)\/\d+\.copy$/.exec(entry)?.[1]
