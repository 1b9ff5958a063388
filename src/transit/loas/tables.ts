import type { AccountId } from '../../kernel/ids.ts'
import type { Generated, JSONColumnType } from 'kysely'

export interface LoasTable {
  id: Generated<number>
  account_id: AccountId
  prefix_id: number
  prefix: string
  origin_asn: number
  customer_asn: number
  proof_method: string | null
  asn_verified_at: Date
  holder: string | null
  holder_registry: string | null
  operator_name: string
  operator_asn: number
  signatory_name: string
  signatory_title: string
  text_version: number
  paragraphs: JSONColumnType<readonly string[], string, never>
  evidence: JSONColumnType<readonly string[], string, never>
  signed_at: Date
  valid_until: Date
  code: string
  pdf: Buffer
  pdf_sha256: string
  revoked_at: Date | null
}
