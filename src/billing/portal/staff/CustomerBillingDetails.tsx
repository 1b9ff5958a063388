import { countryName } from '../../../kernel/country.ts'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'
import { StatusBadge, type Tone } from '../../../ui/components/StatusBadge.tsx'
import { cardName, expiryText } from '../card-labels.ts'
import type { CustomerBilling } from './api.ts'
import { moneyText } from './money-labels.ts'

const VAT: Readonly<Record<CustomerBilling['overview']['address']['vatStatus'], { tone: Tone; label: string } | null>> =
  {
    NONE: null,
    PENDING: { tone: 'busy', label: 'Checking' },
    VALID: { tone: 'ok', label: 'Valid' },
    INVALID: { tone: 'bad', label: 'Not valid in VIES' },
  }

/** Shows the main details: the amount owed, the payment method, and the billing address. */
export function CustomerBillingDetails({ billing: { overview, paymentMethods } }: { billing: CustomerBilling }) {
  const { currency, balance, month, address, limits } = overview
  const vat = VAT[address.vatStatus]
  return (
    <PropertyTable
      items={[
        {
          label: balance < 0 ? 'Credit balance' : 'Owed',
          value: (
            <strong className={`num font-semibold ${balance > 0 ? 'text-warn' : ''}`}>
              {moneyText(Math.abs(balance), currency)}
            </strong>
          ),
        },
        {
          label: 'This month',
          value: (
            <span className="num">
              {moneyText(month.accrued, currency)}{' '}
              <span className="text-sm text-faint">of {moneyText(month.projected, currency)}, before tax</span>
            </span>
          ),
        },
        {
          label: 'Pays with',
          value:
            paymentMethods.length === 0 ? (
              <StatusBadge tone="off">No payment method</StatusBadge>
            ) : (
              <ul>
                {paymentMethods.map((method) => (
                  <li key={method.id}>
                    {cardName(method)}{' '}
                    <span className="num text-sm text-faint">
                      until {expiryText(method)}
                      {method.isDefault && paymentMethods.length > 1 && ', default'}
                    </span>
                  </li>
                ))}
              </ul>
            ),
        },
        {
          label: 'Account',
          value: limits ? (
            <span className="num">
              New: up to {limits.routers} routers and {moneyText(limits.owed, currency)} owed
            </span>
          ) : (
            'Established: has paid an invoice'
          ),
        },
        {
          label: 'Billed to',
          value: [
            address.company,
            address.street,
            [address.postalCode, address.city].filter(Boolean).join(' '),
            address.country && countryName(address.country),
          ]
            .filter(Boolean)
            .join(', ') || <span className="text-faint">account name only</span>,
        },
        {
          label: 'VAT ID',
          value: address.vatId ? (
            <span className="inline-flex flex-wrap items-center gap-2.5">
              <span className="font-mono">{address.vatId}</span>
              {vat && <StatusBadge tone={vat.tone}>{vat.label}</StatusBadge>}
            </span>
          ) : (
            <span className="text-faint">none</span>
          ),
        },
      ]}
    />
  )
}
