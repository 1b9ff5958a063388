/**
 * One question of a kind that is asked again and again, as `pg` sends and hears it: its plan has a name on the
 * connection, what its columns are is asked the first time only, and rows are made from what was learned then.
 */
import type { EventEmitter } from 'node:events'
import pg from 'pg'
import { typeParsers } from './type-parsers.ts'

export interface Plan {
  readonly sql: string
  /** Of its plan, on every connection. */
  readonly name: string
  /** Per connection: one may have planned it before a table was changed, another after. */
  readonly columns: WeakMap<Wire, Columns>
}

interface Columns {
  readonly names: readonly string[]
  readonly parsers: readonly ((text: string) => unknown)[]
}

/** What `pg` does not declare of its own: the connection under a client, and what it calls on a query. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly submittedNamedStatements: Record<string, string>
  parse(message: { text: string; name: string }): void
  bind(message: { statement: string; values: readonly unknown[]; valueMapper: (value: unknown) => unknown }): void
  describe(message: { type: 'P' }): void
  execute(): void
  sync(): void
}
interface Field {
  readonly name: string
  readonly dataTypeID: number
}
const Query = pg.Query as unknown as new (text: string) => EventEmitter
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils
const toText = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : prepareValue(value))

type Done = (error: Error | null, rows: unknown[]) => void

/** Hand it to `client.query`. */
export class PlannedQuery extends Query {
  readonly name: string
  readonly text: string
  callback: Done
  readonly #plan: Plan
  readonly #values: readonly unknown[]
  readonly #rows: unknown[] = []
  #columns: Columns | undefined
  #failure: Error | undefined
  #wire: Wire | undefined

  constructor(plan: Plan, values: readonly unknown[], done: Done) {
    super('')
    this.name = plan.name
    this.text = plan.sql
    this.callback = done
    this.#plan = plan
    this.#values = values
  }

  submit(wire: Wire): void {
    const { name, text } = this
    this.#wire = wire
    this.#columns = this.#plan.columns.get(wire)
    wire.stream.cork()
    try {
      if (wire.parsedStatements[name] === undefined && wire.submittedNamedStatements[name] === undefined) {
        wire.parse({ text, name })
        wire.submittedNamedStatements[name] = text
      }
      wire.bind({ statement: name, values: this.#values, valueMapper: toText })
      if (!this.#columns) wire.describe({ type: 'P' })
      wire.execute()
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = {
      names: fields.map((field) => field.name),
      parsers: fields.map((field) => typeParsers.getTypeParser(field.dataTypeID, 'text')),
    }
    this.#plan.columns.set(this.#wire!, this.#columns)
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { names, parsers } = this.#columns!
    const row: Record<string, unknown> = {}
    try {
      for (let at = 0; at < names.length; at++) {
        const text = fields[at]!
        row[names[at]!] = text === null ? null : parsers[at]!(text)
      }
    } catch (error) {
      this.#failure ??= error as Error
    }
    this.#rows.push(row)
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}

  handleError(error: Error): void {
    this.callback(error, [])
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure ?? null, this.#rows)
  }
}
