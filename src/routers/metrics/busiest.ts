/** Ranks five-minute slots of traffic in the database, so that a month of them need not be read to find one. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import '../tables.ts'

export interface SlotQuestion {
  readonly userId: number
  /** Slots that begin from here … */
  readonly from: Date
  /** … until before here. */
  readonly to: Date
  /** 1 for the busiest slot, 2 for the one after, … */
  readonly rank: number
  /** The greater of both directions, their sum, or each ranked on its own and the greater taken. */
  readonly direction: 'MAX' | 'SUM' | 'SEPARATE'
  /** Slots with more than so many bytes are counted. */
  readonly threshold: number
}

export interface SlotAnswer {
  /** Of the slot at the rank; 0 when fewer slots than that carried anything. */
  readonly bytes: number
  readonly above: number
  /** Slots in which anything was measured. */
  readonly measured: number
}

/** Answers in the order of the questions. A user's routers are added up slot by slot first. */
export async function busiestSlots(db: Db, questions: readonly SlotQuestion[]): Promise<SlotAnswer[]> {
  if (questions.length === 0) return []
  const asked = questions.map(({ userId, from, to, rank, direction, threshold }, key) => ({
    key,
    user_id: userId,
    starts: from,
    ends: to,
    rank,
    direction,
    threshold,
  }))
  // PostgreSQL computes every aggregate whatever the case says: the filters spare the sorts that are not asked for.
  const { rows } = await sql<SlotAnswer & { key: number }>`
    select asked.key, count(slot)::int as measured,
      case asked.direction
        when 'SEPARATE' then greatest(
          count(*) filter (where received > asked.threshold), count(*) filter (where sent > asked.threshold))
        when 'SUM' then count(*) filter (where received + sent > asked.threshold)
        else count(*) filter (where greatest(received, sent) > asked.threshold)
      end::int as above,
      coalesce(case asked.direction
        when 'SEPARATE' then greatest(
          (array_agg(received order by received desc) filter (where asked.direction = 'SEPARATE'))[asked.rank],
          (array_agg(sent order by sent desc) filter (where asked.direction = 'SEPARATE'))[asked.rank])
        when 'SUM' then
          (array_agg(received + sent order by received + sent desc) filter (where asked.direction = 'SUM'))[asked.rank]
        else (array_agg(greatest(received, sent) order by greatest(received, sent) desc)
          filter (where asked.direction = 'MAX'))[asked.rank]
      end, 0)::bigint as bytes
    from json_to_recordset(${JSON.stringify(asked)}::json)
      as asked(key int, user_id int, starts timestamptz, ends timestamptz, rank int, direction text, threshold bigint)
    left join lateral (
      select slot, sum(rx_bytes)::bigint as received, sum(tx_bytes)::bigint as sent
      from router_slots
      where router_slots.user_id = asked.user_id and slot >= asked.starts and slot < asked.ends
      group by slot
    ) as traffic on true
    group by asked.key, asked.direction, asked.rank
    order by asked.key`.execute(db)
  return rows.map(({ bytes, above, measured }) => ({ bytes, above, measured }))
}
