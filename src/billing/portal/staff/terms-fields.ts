/** The fields of the operator's terms, in display order. */

export const SELLER = [
  { name: 'company', label: 'Company', hint: undefined },
  { name: 'street', label: 'Street', hint: undefined },
  { name: 'postalCode', label: 'Postal code', hint: undefined },
  { name: 'city', label: 'City', hint: undefined },
  { name: 'country', label: 'Country', hint: undefined },
  { name: 'vatId', label: 'VAT ID', hint: undefined },
  { name: 'registration', label: 'Registration', hint: 'Trade register number' },
] as const

export type DayField =
  | 'paymentDays'
  | 'reminderDays'
  | 'warningDays'
  | 'drainDays'
  | 'sessionsDownDays'
  | 'suspendDays'
  | 'terminationDays'
  | 'newAccountRouters'
  | 'priceNoticeDays'

interface NumberField {
  readonly name: DayField
  readonly label: string
  readonly hint: string
  readonly most: number
}

export const DAYS: readonly NumberField[] = [
  { name: 'paymentDays', label: 'Days to pay', hint: 'From the invoice to its due date', most: 90 },
  { name: 'reminderDays', label: 'Reminder', hint: 'A friendly email', most: 365 },
  { name: 'warningDays', label: 'Last warning', hint: 'Explains what happens next', most: 365 },
  { name: 'drainDays', label: 'Drain transit', hint: 'Prefixes announced as a last resort (RFC 8326)', most: 365 },
  { name: 'sessionsDownDays', label: 'Suspend transit', hint: 'BGP sessions are shut down', most: 365 },
  { name: 'suspendDays', label: 'Suspend routers', hint: 'Routers are stopped; their disks are kept', most: 365 },
  { name: 'terminationDays', label: 'End service', hint: 'Billing stops', most: 365 },
]

export const LIMITS: readonly NumberField[] = [
  {
    name: 'newAccountRouters',
    label: 'Router limit for new accounts',
    hint: 'Further orders are declined',
    most: 10_000,
  },
  {
    name: 'priceNoticeDays',
    label: 'Notice of price increase',
    hint: 'Days before a higher price takes effect',
    most: 365,
  },
]
