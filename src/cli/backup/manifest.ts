/** What is in a backup, so that a restore can tell a whole one from a damaged one before it touches anything. */
import { z } from 'zod'

const digest = z.string().regex(/^[0-9a-f]{64}$/)
/** Names go into statements, quoted; what PostgreSQL would cut off is refused. */
const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)

export const manifestShape = z.object({
  format: z.literal(1),
  release: z.string(),
  takenAt: z.iso.datetime(),
  /** Applied to the database, in order. */
  migrations: z.array(z.string()),
  /** In an order in which each finds the rows that it refers to. */
  tables: z.array(z.object({ name, columns: z.array(name), rows: z.int().nonnegative(), sha256: digest })),
  /** Null was never used. */
  sequences: z.array(
    z.object({
      name,
      lastValue: z
        .string()
        .regex(/^-?\d{1,19}$/)
        .nullable(),
    }),
  ),
  /** `file` is in the archive; `settings` is not, and has to be set again. Null: the portal never ran. */
  secretKey: z.object({ from: z.enum(['file', 'settings']), sha256: digest }).nullable(),
})

export type Manifest = z.output<typeof manifestShape>

export const MANIFEST = 'manifest.json'
export const SECRET_KEY = 'secret-key'
export const chunkName = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(6, '0')}.copy`
export const tableOfChunk = (entry: string): string | undefined => /^tables\/([a-z0-9_]+)\/\d+\.copy$/.exec(entry)?.[1]
