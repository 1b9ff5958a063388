/** Registers the routes of billing. */
import type { AccountId } from '../kernel/ids.ts'
import type { FastifyInstance } from 'fastify'
import { lockAccount, type Sender } from '../accounts/index.ts'
import type { VatRegistry } from '../drivers/tax/index.ts'
import type { Db } from '../platform/db/index.ts'
import { mount } from '../platform/http/mount.ts'
import { paymentMethodsApi } from './contract/payment-methods.ts'
import { customerRoutes } from './customers/routes.ts'
import { fileRoutes } from './invoices/files.ts'
import { createBillingEmails } from './emails.ts'
import {
  addPaymentMethod,
  asked,
  ensureCustomer,
  listPaymentMethods,
  makeDefault,
  removePaymentMethod,
  type PaymentDeps,
} from './payment-methods.ts'
import type { ChargeDeps } from './payments/charge-deps.ts'
import { webhookRoutes } from './payments/webhook.ts'
import { hasContract } from './metering/contracts.ts'
import { createRevenue } from './revenue/revenue.ts'
import { staffRoutes } from './staff/routes.ts'

export interface BillingDeps extends PaymentDeps, Sender {
  /** True if something of this customer costs money now. */
  readonly isBilled: (db: Db, accountId: AccountId) => Promise<boolean>
  readonly vat: VatRegistry
}

export const chargeDepsOf = (deps: BillingDeps): ChargeDeps => ({
  db: deps.db,
  clock: deps.clock,
  payments: deps.payments,
  emails: createBillingEmails(deps),
})

export function billingRoutes(app: FastifyInstance, deps: BillingDeps): void {
  const charges = chargeDepsOf(deps)
  paymentMethodRoutes(app, deps)
  customerRoutes(app, charges)
  staffRoutes(app, { ...charges, revenueOf: (currency) => createRevenue({ clock: deps.clock, currency }) })
  fileRoutes(app, deps)
  webhookRoutes(app, charges)
}

function paymentMethodRoutes(app: FastifyInstance, deps: BillingDeps): void {
  const { payments } = deps
  mount(
    app,
    paymentMethodsApi,
    {
      'GET /api/account/payment_methods': (_, { db, principal }) => listPaymentMethods(db, principal.accountId),
      'POST /api/account/payment_methods/setup': async (_, { principal }) => {
        const customer = await ensureCustomer(deps, principal.accountId)
        const { clientSecret } = await asked(() => payments.createSetup(customer))
        return {
          provider: payments.kind,
          publishableKey: payments.publishableKey,
          clientSecret,
          testCards: [...payments.testCards],
        }
      },
      'POST /api/account/payment_methods': ({ body }, { actor, principal }) =>
        addPaymentMethod(deps, actor, principal.accountId, body.token),
      'PUT /api/account/payment_methods/{id}/default': ({ params }, { db, actor, principal }) =>
        makeDefault(db, actor, principal.accountId, params.id, deps.clock.now()),
      'DELETE /api/account/payment_methods/{id}': async ({ params }, context) => {
        const { db, actor, principal } = context
        const { accountId } = principal
        const now = deps.clock.now()
        // Locked first, or a concurrent order would be missed.
        await lockAccount(db, accountId)
        const billed = (await deps.isBilled(db, accountId)) || (await hasContract(db, accountId, now))
        await removePaymentMethod(db, actor, { accountId, id: params.id, billed, now })
      },
    },
    { db: deps.db, area: 'billing' },
  )
}
