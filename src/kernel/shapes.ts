/** Shapes that the contracts of all slices share. */
import { z } from 'zod'
import { MAX_ASN } from './asn.ts'

export const time = z.iso.datetime()
/** PostgreSQL reads a year below 100 as one of this century, and has no year 0. */
const inCommonYears = <S extends z.ZodType<string>>(shape: S) =>
  shape.refine((text) => /^(19[7-9]|2)\d/.test(text), 'takes a year from 1970 to 2999')
/** In a query or body, where other offsets than UTC are taken too. */
export const givenTime = inCommonYears(z.iso.datetime({ offset: true, abort: true }))
export const givenDay = inCommonYears(z.iso.date({ abort: true }))
export const asn = z.int().min(0).max(MAX_ASN)

/**
 * A whole number in a path or query, in exactly one spelling. `Number` would also accept `0x1`, `01`, ` 1`, `1e0` and
 * an empty string. Two URLs for one resource would mislead caches, rate limits and access rules.
 */
export const written = <S extends z.ZodType<number>>(shape: S) =>
  z.preprocess((value) => (typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value), shape)
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/

/** In a path or query. No row can have an id beyond `integer`, and PostgreSQL would reject the query. */
export const rowId = written(z.int().positive().max(2147483647))
export const byId = z.object({ id: rowId })

/** In a query: the id after which the list continues; 0 is its beginning. */
export const afterRow = written(z.int().min(0).max(2147483647)).default(0)
/** An id of a `bigint` column. */
export const bigId = written(z.int().positive())

/** The page size that a query asks for, up to `most`. */
export const pageOf = (most: number) => written(z.int().min(1).max(most))
export const pageLimit = pageOf(200).default(50)

/** In a body, where JSON has numbers. */
export const givenId = z.int().positive().max(2147483647)
