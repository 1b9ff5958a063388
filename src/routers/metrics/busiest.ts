/**
 * Ranks five-minute slots of traffic. The database only sends them, packed: sorting and summing a month there takes
 * five times as long as reading, placing and ranking them here.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import '../tables.ts'
import { rankTraffic, type Ranked, type Ranking, type Traffic } from './rank-traffic.ts'

export interface SlotQuestion extends Ranking {
  readonly accountId: AccountId
  /** Slots that begin at or after this … */
  readonly from: Date
  /** … and before this. */
  readonly to: Date
}

export interface SlotAnswer extends Ranked {
  /** Slots in which anything was measured. */
  readonly measured: number
}

const SLOT_MS = 300_000
/** A month for this many customers is some megabytes on the wire. */
const AT_ONCE = 16

/** Returns results in the order of the questions. A user's routers are summed slot by slot first. */
export async function busiestSlots(db: Db, questions: readonly SlotQuestion[]): Promise<SlotAnswer[]> {
  const answers: SlotAnswer[] = []
  for (let first = 0; first < questions.length; first += AT_ONCE) {
    const asked = questions.slice(first, first + AT_ONCE)
    const packed = await readSlots(db, asked)
    for (const [index, question] of asked.entries()) {
      const { measured, ...traffic } = unpack(packed[index]!, question)
      answers.push({ ...rankTraffic(traffic, question), measured })
    }
  }
  return answers
}

/** For each question the times, received and sent bytes of its rows, in PostgreSQL's binary integers. */
interface Packed {
  readonly moments: Buffer | null
  readonly received: Buffer | null
  readonly sent: Buffer | null
}

async function readSlots(db: Db, questions: readonly SlotQuestion[]): Promise<Packed[]> {
  const asked = questions.map(({ accountId, from, to }, key) => ({
    key,
    account_id: accountId,
    starts: from,
    ends: to,
  }))
  // All aggregates of a group see its rows in the same order, whatever that order is.
  const { rows } = await sql<Packed>`
    select string_agg(timestamptz_send(slot), '') as moments, string_agg(int8send(rx_bytes), '') as received,
      string_agg(int8send(tx_bytes), '') as sent
    from json_to_recordset(${JSON.stringify(asked)}::json)
      as asked(key int, account_id int, starts timestamptz, ends timestamptz)
    left join router_slots on router_slots.account_id = asked.account_id and slot >= asked.starts and slot < asked.ends
    group by asked.key
    order by asked.key`.execute(db)
  return rows
}

/** PostgreSQL counts microseconds from the year 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1)

function unpack({ moments, received, sent }: Packed, { from, to }: SlotQuestion): Traffic & { measured: number } {
  const first = Math.floor(from.getTime() / SLOT_MS)
  const length = Math.max(0, Math.ceil(to.getTime() / SLOT_MS) - first)
  const traffic = { received: new Float64Array(length), sent: new Float64Array(length) }
  const seen = new Uint8Array(length)
  let measured = 0
  for (let at = 0; moments && at < moments.length; at += 8) {
    const slot = Math.floor((integerAt(moments, at) / 1_000 + EPOCH_MS) / SLOT_MS) - first
    traffic.received[slot]! += integerAt(received!, at)
    traffic.sent[slot]! += integerAt(sent!, at)
    measured += 1 - seen[slot]!
    seen[slot] = 1
  }
  return { ...traffic, measured }
}

/** Exact below 2^53: no port carries that in five minutes, and no time before 2285 is that far from 2000. */
const integerAt = (bytes: Buffer, at: number): number =>
  bytes.readInt32BE(at) * 0x1_0000_0000 + bytes.readUInt32BE(at + 4)
