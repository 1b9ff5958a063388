/** Reconciliation: recomputes every invoice from the postings. Any finding is a bug in this code. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import '../tables.ts'

export interface Discrepancy {
  readonly subject: string
  readonly detail: string
}

/** Returns at most a hundred discrepancies of each kind. An empty list means that the books reconcile. */
export async function verifyBooks(db: Db): Promise<Discrepancy[]> {
  const { rows } = await sql<Discrepancy>`
    (select 'transaction ' || transaction_id as subject, 'is out of balance by ' || sum(amount) as detail
      from ledger_entries group by transaction_id having sum(amount) <> 0 limit 100)
    union all
    (select 'invoice ' || number, 'its lines add up to ' || coalesce(sum(line.amount), 0) || ', not ' || subtotal
      from invoices left join invoice_lines line on line.invoice_id = invoices.id
      where status <> 'DRAFT'
      group by invoices.id having coalesce(sum(line.amount), 0) <> subtotal limit 100)
    union all
    (select 'invoice ' || number, 'was booked with ' || coalesce(booked.total, 0) || ' of ' || invoices.total
        || ' and tax of ' || coalesce(booked.tax, 0) || ', not ' || invoices.tax
      from invoices left join lateral (
        select sum(amount) filter (where account = 'receivable') as total,
          -sum(amount) filter (where account = 'tax') as tax
        from ledger_transactions joined join ledger_entries on transaction_id = joined.id
        where source = 'invoice:' || invoices.id
      ) booked on true
      where status <> 'DRAFT'
        and (coalesce(booked.total, 0) <> invoices.total or coalesce(booked.tax, 0) <> invoices.tax) limit 100)
    union all
    (select 'invoice ' || number || ' line ' || position, 'was booked with ' || coalesce(-sum(entry.amount), 0)
        || ', not ' || line.amount
      from invoices join invoice_lines line on line.invoice_id = invoices.id
        left join ledger_transactions booked on booked.source = 'invoice:' || invoices.id
        left join ledger_entries entry on entry.transaction_id = booked.id and entry.line = line.position
      where status <> 'DRAFT'
      group by invoices.id, line.invoice_id, line.position having coalesce(-sum(entry.amount), 0) <> line.amount limit 100)
    union all
    (select 'invoice ' || invoices.number || ' line ' || line.position, 'was credited ' || -sum(credit.amount)
        || ' of ' || line.amount
      from invoices note join invoices on invoices.id = note.corrects_id
        join invoice_lines line on line.invoice_id = invoices.id
        join invoice_lines credit on credit.invoice_id = note.id and credit.subject = 'line:' || line.position
      group by invoices.id, line.invoice_id, line.position
      having not -sum(credit.amount) between least(line.amount, 0) and greatest(line.amount, 0) limit 100)
    union all
    (select 'series ' || series, 'has ' || count(*) || ' numbers up to ' || max(serial)
      from invoices where series is not null group by series having count(*) <> max(serial) limit 100)`.execute(db)
  return rows
}
