/** The schema builder of the staff API: scalars, pages, and fields that are non-null unless declared nullable. */
import SchemaBuilder from '@pothos/core'
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql'
import { MAX_ASN } from '../../kernel/asn.ts'
import type { Money } from '../../kernel/money.ts'
import { givenTime } from '../../kernel/shapes.ts'
import { step } from '../trace.ts'
import { PAGE_DEFAULT, PAGE_MOST } from './limits.ts'

/** Each part is read only when requested: a count alone reads no rows, and rows alone are not counted. */
export interface Page<T> {
  readonly nodes: () => Promise<readonly T[]>
  readonly totalCount: () => Promise<number>
  readonly pageInfo: () => Promise<PageInfo>
}

export interface PageInfo {
  readonly hasNextPage: boolean
  readonly endCursor: string | null
}

/** Rows to read: one more than the page shows, to know whether there is a next page. */
export interface PageInput {
  readonly first: number
  readonly beforeId?: number
  /** The sort key of the last row of the previous page, if it is not the id. */
  readonly beforeKey?: string
}

/** The sort order of a list, unless it is sorted by id alone. */
export interface SortKey<T> {
  readonly of: (row: T) => string
  /** Rejects a cursor that this list did not create. */
  readonly accepts: (text: string) => boolean
}

export const createBuilder = <C extends object>() => {
  const builder = new SchemaBuilder<{
    Context: C
    DefaultFieldNullability: false
    Scalars: { ISO8601DateTime: { Input: Date; Output: Date }; ASN: { Input: number; Output: number } }
    Objects: { Money: Money }
  }>({ defaultFieldNullability: false })
  builder.addScalarType('ISO8601DateTime', dateTime)
  builder.addScalarType('ASN', asn)
  builder.objectType('Money', {
    description: 'An amount in integer minor units of an ISO 4217 currency',
    fields: (t) => ({ amount: t.exposeInt('amount'), currency: t.exposeString('currency') }),
  })
  return builder
}

const dateTime = new GraphQLScalarType<Date, string>({
  name: 'ISO8601DateTime',
  description: 'A moment, as ISO 8601 with its offset from UTC',
  serialize: (value) => (value as Date).toISOString(),
  parseValue: readDate,
  parseLiteral: (node) => readDate(node.kind === Kind.STRING ? node.value : undefined),
})

function readDate(value: unknown): Date {
  const { data } = givenTime.safeParse(value)
  if (data === undefined)
    throw new GraphQLError('takes a moment as ISO 8601 with its offset, for example 2026-03-01T00:00:00Z')
  return new Date(data)
}

const asn = new GraphQLScalarType<number, number>({
  name: 'ASN',
  description: "An autonomous system number, unsigned 32-bit: more than GraphQL's Int holds",
  serialize: Number,
  parseValue: readAsn,
  parseLiteral: (node) => readAsn(node.kind === Kind.INT ? Number(node.value) : undefined),
})

function readAsn(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAX_ASN) {
    throw new GraphQLError('takes an ASN, a number from 0 to 4294967295')
  }
  return value
}

/**
 * Cursors are opaque to callers. They contain the id after which the next page begins, and the sort key if there is
 * another one. The page begins there even if that row has since changed or been deleted.
 */
const encodeCursor = (id: number, key: string | undefined): string =>
  Buffer.from(key === undefined ? `id:${id}` : `key:${id}:${key}`).toString('base64url')

function decodeCursor(
  cursor: string,
  sortKey: SortKey<never> | undefined,
): { readonly beforeId: number; readonly beforeKey?: string } {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [, id, key] = (sortKey ? /^key:(\d{1,15}):([^\0]{1,300})$/ : /^id:(\d{1,15})$/).exec(text) ?? []
  if (!id || (key !== undefined && !sortKey?.accepts(key))) {
    throw new GraphQLError('after: takes the endCursor of an earlier page with the same sort', {
      extensions: { code: 'BAD_USER_INPUT' },
    })
  }
  return { beforeId: Number(id), ...(key !== undefined && { beforeKey: key }) }
}

/** Reads one page by keyset, from the caller's arguments. */
export function readPage<T extends { readonly id: number }>(
  args: { first?: number | null | undefined; after?: string | null | undefined },
  list: (pageInput: PageInput) => Promise<readonly T[]>,
  totalCount: () => Promise<number>,
  sortKey?: SortKey<T>,
): Page<T> {
  const first = args.first ?? PAGE_DEFAULT
  if (first < 1 || first > PAGE_MOST) {
    throw new GraphQLError(`first: takes a number from 1 to ${PAGE_MOST}`, { extensions: { code: 'BAD_USER_INPUT' } })
  }
  const pageInput = { first: first + 1, ...(args.after && decodeCursor(args.after, sortKey)) }
  let asked: Promise<readonly T[]> | undefined
  const found = () => (asked ??= step('page', () => list(pageInput)))
  const nodes = async () => (await found()).slice(0, first)
  return {
    nodes,
    totalCount: () => step('count', totalCount),
    pageInfo: async () => {
      const last = (await nodes()).at(-1)
      return {
        hasNextPage: (await found()).length > first,
        endCursor: last ? encodeCursor(last.id, sortKey?.of(last)) : null,
      }
    },
  }
}

/** Returns a naturally short list as one page. */
export const wholePage = <T>(list: () => Promise<readonly T[]>): Page<T> => ({
  nodes: list,
  totalCount: async () => (await list()).length,
  pageInfo: () => Promise.resolve({ hasNextPage: false, endCursor: null }),
})
