import type { Generated, JSONColumnType } from 'kysely'
import type { LinkPurpose } from '../states.ts'

export interface PrefixContactLinksTable {
  id: Generated<number>
  prefix_id: number
  purpose: LinkPurpose
  customer_asn: number
  origin_asn: number | null
  round: number
  contact_email: string
  contact_roles: JSONColumnType<readonly string[], string, string>
  contact_source: string
  registry: string
  handle: string
  registrants: JSONColumnType<readonly string[], string, string>
  requested_by: number | null
  created_at: Date
  expires_at: Date
  confirmed_at: Generated<Date | null>
  valid_until: Generated<Date | null>
  by_customer: Generated<boolean>
  voided_at: Generated<Date | null>
}
