import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { PageHeader, Section } from '../../../portal/ui/PageHeader.tsx'
import { plans, prices, terms } from './api.ts'
import { BillingTabs } from './BillingTabs.tsx'
import { FeeDialog } from './FeeDialog.tsx'
import { OnceTable } from './OnceTable.tsx'
import { PlanDialog } from './PlanDialog.tsx'
import { PlanTable } from './PlanTable.tsx'
import { PriceDialog } from './PriceDialog.tsx'
import { ProductTable } from './ProductTable.tsx'
import { PriceVersions } from './PriceVersions.tsx'

/** What is for sale and for how much, since when and from when. */
export function PricesPage() {
  const [priced, setPriced] = useState<string | null>(null)
  const [creates, setCreates] = useState(false)
  const [names, setNames] = useState(false)
  const versions = useSuspenseQuery(prices()).data
  const offered = useSuspenseQuery(plans()).data
  const { priceNoticeDays, currency } = useSuspenseQuery(terms()).data
  const duty = useDutyRefusal('billing')
  return (
    <>
      <PageHeader
        title="Prices"
        summary={`A price takes effect from a moment on and stays what it was before it. Who would pay more is told ${priceNoticeDays} days ahead.`}
        actions={
          <Button icon="plus" disabledReason={duty} onClick={() => setCreates(true)}>
            Create plan
          </Button>
        }
      />
      <BillingTabs />
      <Section title="Router plans">
        <PlanTable plans={offered} prices={versions} onPrice={setPriced} />
      </Section>
      <Section title="Addresses and transit" summary="For each address of each router; transit by the month.">
        <ProductTable prices={versions} onPrice={setPriced} />
      </Section>
      <Section
        title="Charged once"
        summary="Set-up is charged by itself, once for each router and each connection; the other fees when staff charge them."
        actions={
          <Button icon="plus" disabledReason={duty} onClick={() => setNames(true)}>
            Create fee
          </Button>
        }
      >
        <OnceTable prices={versions} plans={offered} currency={currency} onPrice={setPriced} />
      </Section>
      <Section
        title="Versions"
        summary="All there were and all that are announced. One that has not begun can be taken back."
      >
        <PriceVersions prices={versions} plans={offered} />
      </Section>
      {priced && <PriceDialog product={priced} prices={versions} plans={offered} onClose={() => setPriced(null)} />}
      {names && <FeeDialog currency={currency} onClose={() => setNames(false)} />}
      {creates && <PlanDialog currency={currency} onClose={() => setCreates(false)} />}
    </>
  )
}
