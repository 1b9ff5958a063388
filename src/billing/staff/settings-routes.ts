/** The operator's terms and tax, for staff. */
import type { Handlers } from '../../platform/http/mount.ts'
import type { staffSettingsApi } from '../contract/staff-settings.ts'
import { changeSettings, readSettings } from '../settings.ts'
import { accountOf } from '../../accounts/index.ts'
import type { StaffDeps } from './deps.ts'
import { settingsColumns, viewSettings } from './settings-view.ts'
import { addTaxRate, listTaxRates, listVatChecks, retryVatCheck, setTaxRate } from './tax.ts'

export const settingsHandlers = ({ clock }: StaffDeps): Handlers<typeof staffSettingsApi> => ({
  'GET /api/admin/billing/settings': async (_, { db }) => viewSettings(await readSettings(db)),
  'PATCH /api/admin/billing/settings': async ({ body }, { db, actor }) =>
    viewSettings(await changeSettings(db, actor, settingsColumns(body))),
  'GET /api/admin/billing/tax_rates': (_, { db }) => listTaxRates(db, clock.now()),
  'PUT /api/admin/billing/tax_rates': ({ body }, { db, actor }) => setTaxRate(db, actor, body, clock.now()),
  'POST /api/admin/billing/tax_rates': ({ body }, { db, actor }) => addTaxRate(db, actor, body, clock.now()),
  'GET /api/admin/billing/vat_checks': (_, { db }) => listVatChecks(db),
  'POST /api/admin/users/{id}/vat_check': async ({ params: { id } }, { db, actor }) => {
    const accountId = await accountOf(db, id)
    return { vatStatus: await retryVatCheck(db, actor, accountId, clock.now()) }
  },
})
