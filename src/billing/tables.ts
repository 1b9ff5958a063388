/** The tables that billing alone writes. */
import type { Generated } from 'kysely'

export interface PaymentCustomersTable {
  user_id: number
  provider: 'stripe' | 'test'
  customer: string
}

export interface PaymentMethodsTable {
  id: Generated<number>
  user_id: number
  provider: 'stripe' | 'test'
  reference: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  is_default: boolean
  created_at: Date
  removed_at: Date | null
}

declare module '../platform/db/index.ts' {
  interface Tables {
    payment_customers: PaymentCustomersTable
    payment_methods: PaymentMethodsTable
  }
}
