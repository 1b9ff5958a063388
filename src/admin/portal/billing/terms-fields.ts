/** The fields of the operator's terms, in the order in which they are read. */

export const SELLER = [
  { name: 'company', label: 'Company', hint: undefined },
  { name: 'street', label: 'Street', hint: undefined },
  { name: 'postalCode', label: 'Postal code', hint: undefined },
  { name: 'city', label: 'City', hint: undefined },
  { name: 'country', label: 'Country', hint: undefined },
  { name: 'vatId', label: 'VAT id', hint: undefined },
  { name: 'registration', label: 'Registration', hint: 'Of the trade register' },
] as const

export type DayField =
  | 'paymentDays'
  | 'reminderDays'
  | 'warningDays'
  | 'drainDays'
  | 'shutDays'
  | 'suspendDays'
  | 'endDays'
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
  { name: 'reminderDays', label: 'Reminder', hint: 'A friendly letter', most: 365 },
  { name: 'warningDays', label: 'Last warning', hint: 'Says what follows', most: 365 },
  { name: 'drainDays', label: 'Drain transit', hint: 'Announced as a last resort (RFC 8326)', most: 365 },
  { name: 'shutDays', label: 'Shut transit', hint: 'BGP sessions are closed', most: 365 },
  { name: 'suspendDays', label: 'Suspend routers', hint: 'They are stopped, their disks kept', most: 365 },
  { name: 'endDays', label: 'End service', hint: 'Nothing is charged any more', most: 365 },
]

export const LIMITS: readonly NumberField[] = [
  { name: 'newAccountRouters', label: 'Routers of a new account', hint: 'More are refused', most: 10_000 },
  { name: 'priceNoticeDays', label: 'Notice of a raise', hint: 'Days before a higher price takes effect', most: 365 },
]
