/** Maps the operator's terms between the API and their database row, with one list of names for both directions. */
import type { Settings } from '../settings.ts'

const FIELDS = {
  company: 'company',
  street: 'street',
  postalCode: 'postal_code',
  city: 'city',
  country: 'country',
  vatId: 'vat_id',
  registration: 'registration',
  chargesTax: 'charges_tax',
  oneStopShop: 'one_stop_shop',
  seriesPrefix: 'series_prefix',
  paymentDays: 'payment_days',
  reminderDays: 'reminder_days',
  warningDays: 'warning_days',
  drainDays: 'drain_days',
  sessionsDownDays: 'sessions_down_days',
  suspendDays: 'suspend_days',
  terminationDays: 'termination_days',
  newAccountRouters: 'new_account_routers',
  newAccountOwed: 'new_account_owed',
  priceNoticeDays: 'price_notice_days',
} as const satisfies Record<string, keyof Settings>

type Fields = typeof FIELDS
export type SettingsView = { currency: string } & { [K in keyof Fields]: Settings[Fields[K]] }

export const viewSettings = (settings: Settings): SettingsView =>
  ({
    currency: settings.currency,
    ...Object.fromEntries(Object.entries(FIELDS).map(([name, column]) => [name, settings[column]])),
  }) as SettingsView

export const settingsColumns = (change: Partial<Record<keyof Fields, unknown>>): Partial<Settings> =>
  Object.fromEntries(
    Object.entries(change)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [FIELDS[name as keyof Fields], value]),
  )
