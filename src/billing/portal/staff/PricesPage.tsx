import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { PageHeader, Section } from '../../../ui/components/PageHeader.tsx'
import { plans, prices, terms } from './api.ts'
import { BillingTabs } from './BillingTabs.tsx'
import { FeeDialog } from './FeeDialog.tsx'
import { FeeTable } from './FeeTable.tsx'
import { PlanDialog } from './PlanDialog.tsx'
import { PlanTable } from './PlanTable.tsx'
import { PriceDialog } from './PriceDialog.tsx'
import { ProductTable } from './ProductTable.tsx'
import { PriceVersions } from './PriceVersions.tsx'

/** Lists all products and prices: past, current and scheduled. */
export function PricesPage() {
  const [priced, setPriced] = useState<string | null>(null)
  const [creates, setCreates] = useState(false)
  const [names, setNames] = useState(false)
  const versions = useSuspenseQuery(prices()).data
  const offered = useSuspenseQuery(plans()).data
  const { priceNoticeDays, currency } = useSuspenseQuery(terms()).data
  const missingRole = useMissingRoleReason('billing')
  return (
    <>
      <PageHeader
        title="Prices"
        summary={`Price changes are never retroactive. Customers get ${priceNoticeDays} days’ notice of increases.`}
        actions={
          <Button icon="plus" disabledReason={missingRole} onClick={() => setCreates(true)}>
            Create plan
          </Button>
        }
      />
      <BillingTabs />
      <Section title="Router plans">
        <PlanTable plans={offered} prices={versions} onPrice={setPriced} />
      </Section>
      <Section title="Addresses and transit" summary="Addresses are charged per router, transit per month.">
        <ProductTable prices={versions} onPrice={setPriced} />
      </Section>
      <Section
        title="One-time fees"
        summary="Setup fees are charged automatically, once per router or connection. Staff charge the other fees."
        actions={
          <Button icon="plus" disabledReason={missingRole} onClick={() => setNames(true)}>
            Create fee
          </Button>
        }
      >
        <FeeTable prices={versions} plans={offered} currency={currency} onPrice={setPriced} />
      </Section>
      <Section title="Price history" summary="Past, current and scheduled prices. Scheduled prices can be canceled.">
        <PriceVersions prices={versions} plans={offered} />
      </Section>
      {priced && <PriceDialog product={priced} prices={versions} plans={offered} onClose={() => setPriced(null)} />}
      {names && <FeeDialog currency={currency} onClose={() => setNames(false)} />}
      {creates && <PlanDialog currency={currency} onClose={() => setCreates(false)} />}
    </>
  )
}
