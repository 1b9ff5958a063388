import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { countryName } from '../../../kernel/country.ts'
import { Callout } from '../../../ui/components/Callout.tsx'
import { PageHeader, Section } from '../../../ui/components/PageHeader.tsx'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { taxRates, terms } from './api.ts'
import { BillingTabs } from './BillingTabs.tsx'
import { TaxRates } from './TaxRates.tsx'
import { VatChecks } from './VatChecks.tsx'

/** Shows which tax rules apply and why, and which rates are confirmed. */
export function TaxPage() {
  const own = useSuspenseQuery(terms()).data
  const rates = useSuspenseQuery(taxRates()).data
  const unconfirmed = rates.filter((rate) => rate.inForce && rate.confirmedOn === null).length
  return (
    <>
      <PageHeader title="Tax" />
      <BillingTabs />
      {own.chargesTax && unconfirmed > 0 && (
        <Callout tone="warn" title={`${unconfirmed} active rates are unconfirmed`}>
          Check each rate at its source, then choose Confirm beside it and enter the source.
        </Callout>
      )}
      <Section title="The operator">
        <PropertyTable
          items={[
            {
              label: 'Charges tax',
              value: <StatusBadge tone={own.chargesTax ? 'ok' : 'off'}>{own.chargesTax ? 'Yes' : 'No'}</StatusBadge>,
            },
            {
              label: 'Country',
              value: own.country ? countryName(own.country) : <span className="text-faint">not set</span>,
            },
            {
              label: 'VAT ID',
              value: own.vatId ? (
                <span className="font-mono">{own.vatId}</span>
              ) : (
                <span className="text-faint">not set</span>
              ),
            },
            {
              label: 'One-stop shop',
              value: own.oneStopShop
                ? 'Consumers abroad pay their own country’s rate'
                : 'Consumers abroad pay our rate',
            },
            { label: 'Rule', value: <Rule own={own.country} />, wide: true },
          ]}
        />
        <p className="mt-2 text-sm text-dim">
          Change these under{' '}
          <Link to="/admin/billing-settings" className="link">
            Settings
          </Link>
          .
        </p>
      </Section>
      <VatChecks />
      <TaxRates rates={rates} />
    </>
  )
}

/** Describes the rule of the server (src/billing/invoices/tax.ts). */
const Rule = ({ own }: { own: string | null }) => (
  <ul className="grid list-disc gap-1 pl-5 text-sm">
    <li>
      Customers in the operator’s country{own && ` (${countryName(own)})`}, and those without a country: our own rate.
    </li>
    <li>
      Elsewhere in the EU, with a VAT ID of that country that VIES confirms: no tax, reverse charge (Directive
      2006/112/EC, articles 44 and 196). Until VIES responds, the invoice stays a draft, for up to ten days.
    </li>
    <li>Elsewhere in the EU without one: our rate, or theirs if we use the one-stop shop (articles 58 and 59c).</li>
    <li>Outside the EU: not subject to tax here (article 59).</li>
  </ul>
)
