/** Dependencies for charging an invoice. */
import type { Selectable } from 'kysely'
import type { PaymentProvider } from '../../drivers/payments/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import type { BillingEmails } from '../emails.ts'
import type { PaymentsTable } from '../tables.ts'

export type Payment = Selectable<PaymentsTable>

export interface ChargeDeps {
  readonly db: Db
  readonly clock: Clock
  readonly payments: PaymentProvider
  readonly emails: BillingEmails
}
