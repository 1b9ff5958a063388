/** Shapes that the contracts of all slices share. */
import { z } from 'zod'
import { MAX_ASN } from './asn.ts'

export const time = z.iso.datetime()
export const asn = z.int().min(0).max(MAX_ASN)

/** In a path or a query. Beyond what an `integer` column holds nothing can have it, and PostgreSQL would refuse to look. */
export const rowId = z.coerce.number().int().positive().max(2147483647)
export const byId = z.object({ id: rowId })

/** Where the column is a `bigint`: what happens all the time, and whatever the trail names. */
export const bigId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)

export const pageLimit = z.coerce.number().int().min(1).max(200).default(50)
