/**
 * Verifies that the audit log is unchanged. The database links each entry as its transaction ends
 * (`0001-baseline.sql`). The hashes are computed again here, outside of the database, so that a function changed in the
 * database cannot vouch for entries changed in it.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { inTransaction, type Db } from './db/index.ts'
import './tables.ts'

export interface ChainHead {
  readonly position: number
  /** Lower-case hexadecimal. */
  readonly hash: string
}

/** Formats a head for export. */
export const describeHead = ({ position, hash }: ChainHead): string => `audit head ${position}:${hash}`

/** Returns the heads in a text, whatever else the text contains. */
export const headsIn = (text: string): ChainHead[] =>
  [...text.matchAll(/\baudit head (\d{1,15}):([0-9a-f]{64})\b/g)].map(([, position, hash]) => ({
    position: Number(position),
    hash: hash!,
  }))

export interface ChainVerification {
  readonly head: ChainHead
  /** One sentence for each fault, in the order of the chain; at most {@link MOST_FAULTS}. */
  readonly faults: readonly string[]
}

const MOST_FAULTS = 20
const BATCH = 5_000
const BEGINNING = '0'.repeat(64)

/**
 * Reads the whole chain in one snapshot. An attacker who can write everything can also write a whole new chain. Only
 * `known`, heads that were recorded outside the database, shows that. `onProgress` receives the progress; throwing from
 * it ends the reading.
 */
export function verifyAuditChain(
  database: Db,
  known: readonly ChainHead[] = [],
  onProgress?: (position: number) => Promise<void>,
): Promise<ChainVerification> {
  return inTransaction(
    database,
    async (db) => {
      const faults: string[] = []
      let last: ChainHead = { position: 0, hash: BEGINNING }
      const noted = new Set(known.map(({ position }) => position))
      const found = new Map<number, string>([[0, BEGINNING]])
      for (;;) {
        const links = await readLinks(db, last.position)
        for (const link of links) {
          faults.push(...faultsOf(link, last))
          if (noted.has(link.position)) found.set(link.position, link.hash)
          last = { position: link.position, hash: link.hash }
          if (faults.length >= MOST_FAULTS) break
        }
        await onProgress?.(last.position)
        if (links.length < BATCH || faults.length >= MOST_FAULTS) break
      }
      if (faults.length >= MOST_FAULTS) return { head: last, faults: faults.slice(0, MOST_FAULTS) }
      faults.push(...(await faultsOutside(db, last)))
      for (const { position, hash } of known)
        if (found.get(position) !== hash) faults.push(`The head that was noted, ${position}, is not in the chain.`)
      return { head: last, faults: faults.slice(0, MOST_FAULTS) }
    },
    { isolation: 'repeatable read' },
  )
}

type Fields = readonly (string | null)[]

interface Link {
  readonly position: number
  readonly eventId: number
  readonly prevHash: string
  readonly hash: string
  /** Null if the entry is missing. */
  readonly fields: Fields | null
}

async function readLinks(db: Db, after: number): Promise<Link[]> {
  // Each column as the text that was hashed: not every parsed value would be formatted the same way.
  const { rows } = await sql<Omit<Link, 'fields'> & { found: number | null; fields: Fields }>`
    select l.position, l.event_id as "eventId", encode(l.prev_hash, 'hex') as "prevHash", encode(l.hash, 'hex') as hash,
      e.id as found,
      array[e.id::text, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.actor_id::text, e.actor_kind,
        e.action, e.subject_type, e.subject_id::text, e.account_id::text, e.ip::text, e.request_id, e.data::text] as fields
    from audit_links l left join audit_events e on e.id = l.event_id
    where l.position > ${after} order by l.position limit ${BATCH}`.execute(db)
  return rows.map(({ found, ...link }) => ({ ...link, fields: found === null ? null : link.fields }))
}

function faultsOf(link: Link, before: ChainHead): string[] {
  const { position, eventId } = link
  const faults: string[] = []
  if (position !== before.position + 1) faults.push(`Links ${before.position + 1} to ${position - 1} are missing.`)
  else if (link.prevHash !== before.hash) faults.push(`Link ${position} does not follow the one before it.`)
  if (!link.fields) faults.push(`Event ${eventId} (link ${position}) is gone.`)
  else if (hashLink(position, link.prevHash, link.fields) !== link.hash)
    faults.push(`Event ${eventId} (link ${position}) is not what was written.`)
  return faults
}

/** Finds faults that the chain itself cannot show: entries without a link, and a missing end. */
async function faultsOutside(db: Db, last: ChainHead): Promise<string[]> {
  const { rows: loose } = await sql<{ id: number }>`
    select e.id from audit_events e where not exists (select from audit_links l where l.event_id = e.id)
    order by e.id limit ${MOST_FAULTS}`.execute(db)
  const { rows: heads } = await sql<ChainHead>`
    select position, encode(hash, 'hex') as hash from audit_head`.execute(db)
  const [head] = heads
  const faults = loose.map(({ id }) => `Event ${id} was put in beside the chain.`)
  if (!head) faults.push('The head of the chain is gone.')
  else if (head.position !== last.position || head.hash !== last.hash)
    faults.push(`The chain ends at link ${last.position}, and it was written up to ${head.position}.`)
  return faults
}

function hashLink(position: number, prevHash: string, fields: Fields): string {
  const text = [String(position), prevHash, ...fields].map(writeField).join('')
  return createHash('sha256').update(text).digest('hex')
}

/** Prefixed with its length, so that no two entries have the same text. */
const writeField = (value: string | null): string => (value === null ? '-,' : `${Buffer.byteLength(value)}:${value},`)
