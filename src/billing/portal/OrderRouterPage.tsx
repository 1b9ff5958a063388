import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { formatMoney } from '../../kernel/money.ts'
import { CreateRouterPage } from '../../routers/portal/CreateRouterPage.tsx'
import { ownConnection, transit } from '../../transit/portal/api.ts'
import type { TransitConnection } from '../../transit/contract.ts'
import { Button } from '../../ui/components/Button.tsx'
import { Callout } from '../../ui/components/Callout.tsx'
import { Checkbox } from '../../ui/components/choices.tsx'
import type { PaymentMethod } from '../contract.ts'
import { overview, paymentMethods, transitUsageToDate } from './api.ts'
import { cardName } from './card-labels.ts'
import { transitPrice } from './transit-price.ts'

const AddPaymentMethod = lazy(() => import('./AddPaymentMethod.tsx'))

const CARRIES = 'carries'

/** The page to order a router, with what belongs to it: a card to charge, and the transit connection that it is for. */
export function OrderRouterPage() {
  const { data: connection } = useSuspenseQuery(ownConnection())
  const { tax, currency } = useSuspenseQuery(overview()).data
  const { segments } = useSuspenseQuery(transitUsageToDate()).data
  const { data: methods } = useSuspenseQuery(paymentMethods())
  const card = methods.find(({ isDefault }) => isDefault)
  const queries = useQueryClient()
  const [adds, setAdds] = useState(false)
  const [carries, setCarries] = useState(true)
  const choosesUse = connection.asn !== null && connection.router === null
  return (
    <>
      <CreateRouterPage
        taxRate={tax?.rate ?? null}
        missing={!card && <MissingCard onAdd={() => setAdds(true)} />}
        payment={card && <ChargedCard card={card} />}
        onAddPaymentMethod={() => setAdds(true)}
        use={choosesUse && <CarrierChoice connection={connection} checked={carries} onCheck={setCarries} />}
        usePrice={choosesUse && carries ? transitPrice(connection.setup, segments.at(-1)?.terms, currency) : null}
        onOrdered={async (routerId, values) => {
          if (!values.on(CARRIES)) return
          try {
            const saved = await transit.call['PUT /api/transit_connection']({ body: { routerId } })
            queries.setQueryData(ownConnection().queryKey, saved)
          } catch {
            // The API client has shown the error. The router is ordered anyway, and the IP Transit page offers it.
          }
        }}
      />
      {/* Outside the order form: a nested form would submit both. */}
      <Suspense>{adds && <AddPaymentMethod onClose={() => setAdds(false)} />}</Suspense>
    </>
  )
}

const MissingCard = ({ onAdd }: { onAdd: () => void }) => (
  <Callout
    title="Add a payment method to order"
    action={
      <Button size="sm" variant="primary" changes onClick={onAdd}>
        Add payment method
      </Button>
    }
  >
    Routers are billed hourly and charged once a month.
  </Callout>
)

const ChargedCard = ({ card }: { card: PaymentMethod }) => (
  <p className="text-sm text-dim">
    Charged to <span className="font-medium text-ink">{cardName(card)}</span> at month end.
  </p>
)

interface CarrierChoiceProps {
  readonly connection: TransitConnection
  readonly checked: boolean
  readonly onCheck: (checked: boolean) => void
}

const CarrierChoice = ({ connection: { asn, setup }, checked, onCheck }: CarrierChoiceProps) => (
  <Checkbox
    name={CARRIES}
    checked={checked}
    onChange={({ target }) => onCheck(target.checked)}
    label={`Use it for the IP transit of AS${asn}`}
    hint={
      <>
        Its two BGP sessions come up with the router.
        {setup && !setup.charged && ` Setup ${formatMoney(setup)} once, before tax, when the first session comes up.`}
      </>
    }
  />
)
