/** The tables that only billing writes. */
import type { AccountId, UserId } from '../kernel/ids.ts'
import type { ColumnType, Generated } from 'kysely'
import type {
  Direction,
  DiscountScope,
  DunningStage,
  InvoiceStatus,
  INVOICE_KINDS,
  INVOICE_REASONS,
  LineKind,
  PaymentStatus,
  TaxRule,
  VatStatus,
} from './states.ts'

type Json = ColumnType<unknown, string | undefined, string>

export interface PaymentCustomersTable {
  account_id: AccountId
  provider: 'stripe' | 'test'
  customer: string
}

export interface PaymentMethodsTable {
  id: Generated<number>
  account_id: AccountId
  provider: 'stripe' | 'test'
  reference: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  is_default: boolean
  created_at: Date
  removed_at: Date | null
  /** When the provider was first asked to detach it, and when it had. */
  detaching_at: Date | null
  detached_at: Date | null
}

export interface BillingCustomersTable {
  account_id: AccountId
  currency: string
  company: string | null
  street: string | null
  postal_code: string | null
  city: string | null
  country: string | null
  vat_id: string | null
  vat_status: Generated<VatStatus>
  vat_checked_at: Date | null
  vat_holder: string | null
  vat_consultation: string | null
  vat_due_at: Date | null
  vat_failures: Generated<number>
  billed_until: Date | null
  created_at: Generated<Date>
}

export interface LedgerTransactionsTable {
  id: Generated<number>
  source: string
  account_id: AccountId
  currency: string
  at: Date
}

export const LEDGER_ACCOUNTS = [
  'receivable',
  'revenue:routers',
  'revenue:addresses',
  'revenue:transit',
  'revenue:fees',
  'revenue:reductions',
  'tax',
  'cash',
  'refunds',
  'bad-debt',
] as const
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number]

export interface LedgerEntriesTable {
  id: Generated<number>
  transaction_id: number
  account: LedgerAccount
  amount: number
  invoice_id: number | null
  line: number | null
}

export interface PriceVersionsTable {
  id: Generated<number>
  product: string
  currency: string
  effective_from: Date
  hourly_price: number
  monthly_price: number
  commit_bps: number | null
  overage_price: number | null
  direction: Direction | null
  /** Only for one-off products. */
  one_off_price: number | null
  /** For `fee:` only: the name that customers read. */
  name: string | null
  /** True for an increase: customers who have the product are told in advance. */
  raises: Generated<boolean>
  created_by: UserId | null
  created_at: Generated<Date>
}

export interface PriceNoticesTable {
  price_id: number
  account_id: AccountId
  notified_at: Date
}

export interface TransitContractsTable {
  id: Generated<number>
  account_id: AccountId
  currency: string
  effective_from: Date
  agreed: boolean
  commit_bps: number
  commit_price: number
  overage_price: number
  direction: Direction
  created_by: UserId | null
  created_at: Generated<Date>
}

export interface BillingItemsTable {
  id: Generated<number>
  account_id: AccountId
  currency: string
  kind: 'FEE' | 'CREDIT'
  description: string
  amount: number
  effective_at: Date
  billed: Generated<number>
  /** The price list product; null if staff entered it manually. */
  product: string | null
  /** The unique charge reference, which is never reused. */
  reference: string | null
  created_by: UserId | null
  created_at: Generated<Date>
  cancelled_at: Date | null
}

export interface BillingDiscountsTable {
  id: Generated<number>
  account_id: AccountId
  description: string
  percent: number
  scope: DiscountScope
  starts_at: Date
  ends_at: Date | null
  created_by: UserId | null
  created_at: Generated<Date>
}

export interface TaxRatesTable {
  country: string
  /** A date. */
  effective_from: string
  rate: number
  source: string | null
  /** A date. */
  confirmed_on: string | null
  confirmed_by: UserId | null
}

export interface BillingSettingsTable {
  id: number
  currency: string
  company: string | null
  street: string | null
  postal_code: string | null
  city: string | null
  country: string | null
  vat_id: string | null
  registration: string | null
  charges_tax: boolean
  one_stop_shop: boolean
  series_prefix: string
  payment_days: number
  reminder_days: number
  warning_days: number
  drain_days: number
  sessions_down_days: number
  suspend_days: number
  termination_days: number
  new_account_routers: number
  new_account_owed: number
  price_notice_days: number
}

export interface InvoiceSeriesTable {
  series: string
  next: number
}

export interface InvoicesTable {
  id: Generated<number>
  account_id: AccountId
  currency: string
  kind: (typeof INVOICE_KINDS)[number]
  reason: (typeof INVOICE_REASONS)[number]
  status: InvoiceStatus
  series: string | null
  serial: number | null
  number: string | null
  period_start: Date
  period_end: Date
  subtotal: number
  tax: number
  total: number
  tax_rule: TaxRule | null
  tax_rate: number | null
  seller: Json
  buyer: Json
  corrects_id: number | null
  created_at: Date
  issued_at: Date | null
  due_at: Date | null
  paid_at: Date | null
  mailed_at: Date | null
  charge_at: Date | null
  attempts: Generated<number>
}

export interface InvoiceLinesTable {
  invoice_id: number
  position: number
  kind: LineKind
  subject: string
  description: string
  /** `numeric` values arrive as text. */
  quantity: string
  unit: string
  unit_price: number
  amount: number
  evidence: Json
  item_id: number | null
  /** The time that the line covers; null on lines written before 0.2. */
  starts_at: Date | null
  ends_at: Date | null
}

export interface BillingRunsTable {
  period_start: Date
  reached: Generated<number>
  invoices: Generated<number>
  started_at: Date
  finished_at: Date | null
}

export interface PaymentsTable {
  id: Generated<number>
  account_id: AccountId
  currency: string
  invoice_id: number
  method_id: number
  provider: 'stripe' | 'test'
  key: Generated<string>
  amount: number
  status: PaymentStatus
  reference: string | null
  reason: string | null
  dispute: 'OPEN' | 'WON' | 'LOST' | null
  created_at: Date
  settled_at: Date | null
}

export interface RefundsTable {
  id: Generated<number>
  payment_id: number
  key: Generated<string>
  amount: number
  reason: string
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  reference: string | null
  failure: string | null
  created_by: UserId | null
  created_at: Date
  settled_at: Date | null
}

export interface ProviderEventsTable {
  provider: 'stripe' | 'test'
  event: string
  received_at: Date
}

export interface DunningTable {
  account_id: AccountId
  stage: Generated<DunningStage>
  since: Date
  checked_at: Date | null
}

export interface DunningPausesTable {
  id: Generated<number>
  account_id: AccountId
  until: Date
  reason: string
  created_by: UserId | null
  created_at: Date
  lifted_at: Date | null
}

export interface BillingPausesTable {
  account_id: AccountId
  starts_at: Date
  ends_at: Date | null
}

export interface TransitUsageTable {
  account_id: AccountId
  period_start: Date
  segments: Json
  measured_at: Date
}

declare module '../platform/db/tables.ts' {
  interface Tables {
    payment_customers: PaymentCustomersTable
    payment_methods: PaymentMethodsTable
    billing_customers: BillingCustomersTable
    ledger_transactions: LedgerTransactionsTable
    ledger_entries: LedgerEntriesTable
    price_versions: PriceVersionsTable
    price_notices: PriceNoticesTable
    transit_contracts: TransitContractsTable
    billing_items: BillingItemsTable
    billing_discounts: BillingDiscountsTable
    tax_rates: TaxRatesTable
    billing_settings: BillingSettingsTable
    invoice_series: InvoiceSeriesTable
    invoices: InvoicesTable
    invoice_lines: InvoiceLinesTable
    billing_runs: BillingRunsTable
    payments: PaymentsTable
    refunds: RefundsTable
    provider_events: ProviderEventsTable
    dunning: DunningTable
    dunning_pauses: DunningPausesTable
    billing_pauses: BillingPausesTable
    transit_usage: TransitUsageTable
  }
}
