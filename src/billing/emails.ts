/** The emails of billing, queued in the transaction that causes them. */
import type { AccountId } from '../kernel/ids.ts'
import { notify, notifyStaff, type EmailContent, type Sender } from '../accounts/index.ts'
import { formatMoney } from '../kernel/money.ts'
import type { Db } from '../platform/db/index.ts'
import { disputeForCustomer, disputeForStaff, type DisputeEnd } from './payments/dispute-labels.ts'
import { switchesOff, type DunningStage } from './states.ts'
import { formatUtc } from '../kernel/utc.ts'

export type BillingEmail =
  | { readonly kind: 'invoice'; readonly invoiceId: number; /** Resent on request. */ readonly again?: true }
  | { readonly kind: 'payment-step'; readonly invoiceId: number }
  | {
      readonly kind: 'payment-declined'
      readonly invoiceId: number
      readonly reason: string
      readonly next: Date | null
    }
  | { readonly kind: 'refund'; readonly invoiceId: number; readonly amount: number }
  | {
      readonly kind: 'stage'
      readonly invoiceId: number | null
      readonly stage: DunningStage
      readonly next: Step | null
    }
  | { readonly kind: 'refund-back'; readonly invoiceId: number; readonly amount: number }
  | {
      readonly kind: 'dispute'
      readonly invoiceId: number
      readonly amount: number
      /** How it ended; OPEN means that it began. */
      readonly end: DisputeEnd
    }
  | { readonly kind: 'dunning-lifted'; readonly invoiceId: null; readonly until: string }
  | PriceIncrease

/** Sent in advance to the customers who use the item. */
export interface PriceIncrease {
  readonly kind: 'price-raise'
  readonly invoiceId: null
  readonly what: string
  readonly from: Date
  /** One sentence for each amount that changes. */
  readonly changes: readonly string[]
}

/** The next dunning step and its time, if nothing is paid. */
export interface Step {
  readonly stage: DunningStage
  readonly at: Date
}

export interface BillingEmails {
  /** Sends to the customer; stages and disputes also go to all staff. */
  send(db: Db, accountId: AccountId, email: BillingEmail): Promise<void>
}

export const createBillingEmails = (sender: Sender): BillingEmails => ({
  async send(db, accountId, email) {
    const invoice =
      email.invoiceId === null
        ? undefined
        : await db
            .selectFrom('invoices')
            .select(['number', 'total', 'currency', 'due_at', 'kind'])
            .where('id', '=', email.invoiceId)
            .executeTakeFirst()
    const content = contentOf(email, invoice)
    const kind = (await canBeSwitchedOff(db, email)) ? 'receipts' : 'required'
    await notify(db, sender, accountId, kind, { ...content, action: actionOf(email) })

    const user = await db
      .selectFrom('users')
      .select(['id', 'email', 'first_name', 'last_name', 'closed_at'])
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    const open = user.closed_at === null
    const name = open ? `${user.first_name} ${user.last_name}` : `Account ${user.id}`
    const theirBilling = { label: 'View customer’s billing', path: `/admin/users/${user.id}/billing` }
    if (email.kind === 'dispute') {
      const forStaff = disputeForStaff(email.end, { name, ...moved(email, invoice) })
      await notifyStaff(db, sender, { ...forStaff, action: theirBilling })
    }
    if (email.kind === 'refund-back') {
      const { number, taken } = moved(email, invoice)
      await notifyStaff(db, sender, {
        subject: `${name}: refund of ${number} was returned`,
        paragraphs: [
          `The bank returned ${taken}. The amount is credited to the customer’s account again. Refund it another way.`,
        ],
        action: theirBilling,
      })
    }
    if (email.kind === 'stage') {
      await notifyStaff(db, sender, {
        subject: `${name}: ${STAGE_LABELS[email.stage].subject}`,
        paragraphs: [open ? `Sent to ${user.email}.` : 'Not sent: the account is closed.', ...content.paragraphs],
        action: { label: 'View customer', path: `/admin/users/${user.id}` },
      })
    }
  },
})

/** The link to the invoice, or to Billing if the email is about more than one invoice. */
const actionOf = ({ invoiceId, kind }: BillingEmail) =>
  invoiceId === null || kind === 'stage'
    ? { label: 'Open Billing', path: '/billing' }
    : { label: 'View invoice', path: `/billing/invoices/${invoiceId}` }

/**
 * Receipts can be turned off. Emails that require action cannot: a bank confirmation, a declined payment, a reminder, and an
 * invoice without a card to charge.
 */
async function canBeSwitchedOff(db: Db, email: BillingEmail): Promise<boolean> {
  if (email.kind === 'refund') return true
  if (email.kind !== 'invoice' || email.again) return false
  const mustAct = await db
    .selectFrom('invoices')
    .select('invoices.id')
    .where('invoices.id', '=', email.invoiceId)
    .where('status', '=', 'OPEN')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('payment_methods')
            .select('payment_methods.id')
            .whereRef('payment_methods.account_id', '=', 'invoices.account_id')
            .where('removed_at', 'is', null),
        ),
      ),
    )
    .executeTakeFirst()
  return mustAct === undefined
}

interface Named {
  readonly number: string | null
  readonly total: number
  readonly currency: string
  readonly due_at: Date | null
  readonly kind: 'INVOICE' | 'CREDIT_NOTE'
}

/** The invoice and the amount of a refund or dispute. */
const moved = ({ amount }: { amount: number }, invoice: Named | undefined) => ({
  number: invoice?.number ?? 'an invoice',
  taken: invoice ? formatMoney({ amount, currency: invoice.currency }) : '',
})

const day = (at: Date): string => at.toISOString().slice(0, 10)

function contentOf(email: BillingEmail, invoice: Named | undefined): EmailContent {
  const number = invoice?.number ?? 'your invoice'
  const money = invoice ? formatMoney({ amount: invoice.total, currency: invoice.currency }) : ''
  switch (email.kind) {
    case 'invoice':
      return invoice?.kind === 'CREDIT_NOTE'
        ? {
            subject: `Credit note ${number}`,
            paragraphs: [
              `We credited ${money.replace('-', '')} to your account. The credit note is available under Billing.`,
            ],
          }
        : {
            subject: `Invoice ${number}: ${money}`,
            paragraphs: [
              `Your invoice ${number} for ${money} is ready.`,
              `Your default card is being charged. Without a card on file, please pay by ${invoice?.due_at ? day(invoice.due_at) : 'the due date'}.`,
            ],
          }
    case 'payment-step':
      return {
        subject: `Confirm your payment for ${number}`,
        paragraphs: [
          `Your bank requires you to confirm the payment of ${money} for ${number}. Please confirm within a day.`,
        ],
      }
    case 'payment-declined':
      return {
        subject: `Your payment for ${number} was declined`,
        paragraphs: [
          `We could not charge ${money} for ${number}: ${email.reason}`,
          email.next
            ? `We will try again on ${day(email.next)}. You can also pay now with another card.`
            : 'We will not retry automatically. Please add another card and pay.',
        ],
      }
    case 'refund': {
      const back = invoice ? formatMoney({ amount: email.amount, currency: invoice.currency }) : ''
      return {
        subject: `We refunded ${back}`,
        paragraphs: [`${back} for ${number} is on its way to your card. Banks can take up to ten days.`],
      }
    }
    case 'refund-back':
      return {
        subject: `Our refund of ${moved(email, invoice).taken} did not reach you`,
        paragraphs: [
          'Your bank returned it, possibly because the card was closed. The amount is credited to your account and applied to your next invoice.',
          'Reply to this email if you prefer another form of refund.',
        ],
      }
    case 'dispute':
      return disputeForCustomer(email.end, moved(email, invoice))
    case 'dunning-lifted':
      return {
        subject: 'Your services have been restored',
        paragraphs: [
          `We restored your services while a balance is outstanding. Please pay by ${email.until}; otherwise reminders continue.`,
        ],
      }
    case 'price-raise':
      return {
        subject: `New price for ${email.what} from ${day(email.from)}`,
        paragraphs: [
          `From ${formatUtc(email.from)}, the price of ${email.what} increases. You are using it now, so we are letting you know in advance.`,
          ...email.changes,
          'Nothing changes until then. Anything you delete before that date is not charged at the new price.',
        ],
      }
    case 'stage': {
      const { subject, text } = STAGE_LABELS[email.stage]
      const next =
        email.next && `If it remains unpaid, ${STAGE_LABELS[email.next.stage].next} on ${day(email.next.at)}.`
      return {
        subject: email.stage === 'CURRENT' ? subject : `${subject}: ${number}`,
        paragraphs: [
          text,
          ...(invoice ? [`Due since ${invoice.due_at ? day(invoice.due_at) : ''}: ${number}, ${money}.`] : []),
          ...(next ? [next] : []),
        ],
        after: afterStage(email.stage),
      }
    }
  }
}

function afterStage(stage: DunningStage): readonly string[] {
  if (stage === 'CURRENT') return []
  return [
    switchesOff(stage)
      ? 'Everything is restored automatically as soon as it is paid.'
      : 'Pay it to avoid any interruption.',
  ]
}

const STAGE_LABELS: Readonly<Record<DunningStage, { subject: string; text: string; next: string }>> = {
  CURRENT: {
    subject: 'Thank you, your account is paid up',
    text: 'Nothing is overdue and all services are running.',
    next: '',
  },
  REMINDED: {
    subject: 'Payment reminder',
    text: 'An invoice is overdue. It may have slipped your mind.',
    next: 'we send a reminder',
  },
  WARNED: {
    subject: 'Last warning',
    text: 'An invoice is still unpaid. Please pay it before your services are interrupted.',
    next: 'we send a last warning',
  },
  DRAINED: {
    subject: 'Your prefixes are announced as a last resort only',
    text: 'Your prefixes are announced as a last resort only (RFC 8326), so traffic moves away before your sessions are shut down.',
    next: 'your prefixes are announced as a last resort only',
  },
  SESSIONS_DOWN: {
    subject: 'Your transit has been suspended',
    text: 'Your BGP sessions are shut down. Your routers are still running.',
    next: 'your transit is suspended',
  },
  SUSPENDED: {
    subject: 'Your routers are suspended',
    text: 'Your routers are stopped; their disks are kept.',
    next: 'your routers are stopped',
  },
  TERMINATED: {
    subject: 'Your service has ended',
    text: 'Billing has stopped. Your disks may be deleted at any time. Open amounts remain due.',
    next: 'your service ends',
  },
}
