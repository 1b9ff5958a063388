/** Shapes that the contracts of all slices share. */
import { z } from 'zod'
import { MAX_ASN } from './asn.ts'

export const time = z.iso.datetime()
export const asn = z.int().min(0).max(MAX_ASN)

/**
 * A whole number as a path or a query writes it, in one way alone. `Number` would also read `0x1`, `01`, ` 1`, `1e0` and
 * nothing at all, and two addresses of one thing are one too many for whoever caches, counts or forbids by address.
 */
export const written = <S extends z.ZodType<number>>(shape: S) =>
  z.preprocess((value) => (typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value), shape)
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/

/** In a path or a query. Beyond what an `integer` column holds nothing can have it, and PostgreSQL would refuse to look. */
export const rowId = written(z.int().positive().max(2147483647))
export const byId = z.object({ id: rowId })

/** In a query, after which row a list goes on; from its beginning where nothing is said. */
export const afterRow = written(z.int().min(0).max(2147483647)).default(0)
/** An id of a `bigint` column. */
export const bigId = written(z.int().positive())

/** How many of a list a query asks for, of so many at most. */
export const pageOf = (most: number) => written(z.int().min(1).max(most))
export const pageLimit = pageOf(200).default(50)

/** In a body, where a number is a number. */
export const givenId = z.int().positive().max(2147483647)
