import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { Crumbs } from '../../ui/components/Crumbs.tsx'
import { EmptyState } from '../../ui/components/EmptyState.tsx'
import { Form, type FormValues, type Submission } from '../../ui/components/Form.tsx'
import { PageHeader } from '../../ui/components/PageHeader.tsx'
import type { Catalogue } from '../contract.ts'
import { catalogue, ownSshKeys, routerList, routers } from './api.ts'
import { explainOrder, orderDemand, proposeName, readOrder } from './order.ts'
import { OrderBar } from './OrderBar.tsx'
import { ImageChoice, NameField, PlanChoice, SiteChoice, SshKeysField } from './OrderChoices.tsx'

export interface OrderTerms {
  /** Percent; null while unknown. */
  readonly taxRate: number | null
  /** What is missing before an order, shown above all choices. */
  readonly missing: ReactNode
  /** The payment method of the account. */
  readonly payment: ReactNode
  readonly onAddPaymentMethod: () => void
  /** What the router is for, as fields of the order. */
  readonly use: ReactNode
  /** What that costs, besides the router; null: nothing. */
  readonly usePrice: string | null
  readonly onOrdered: (routerId: number, values: FormValues) => Promise<void>
}

export function CreateRouterPage(terms: OrderTerms) {
  const { data } = useSuspenseQuery(catalogue())
  return (
    <>
      <PageHeader
        title="Create a router"
        above={
          <Crumbs>
            <Link to="/">Routers</Link>
          </Crumbs>
        }
      />
      {data.sites.length > 0 && data.plans.length > 0 && data.images.length > 0 ? (
        <OrderForm offer={data} terms={terms} />
      ) : (
        <EmptyState icon="router" title="No plans available">
          There are no sites, plans or images open for new routers. Contact support for availability.
        </EmptyState>
      )}
    </>
  )
}

function OrderForm({ offer, terms }: { offer: Catalogue; terms: OrderTerms }) {
  const { data: keys } = useSuspenseQuery(ownSshKeys())
  const { data: own } = useSuspenseQuery(routerList())
  const [proposed] = useState(() => proposeName(own.map(({ name }) => name)))
  const queries = useQueryClient()
  const navigation = useRouter()
  const [slug, setSlug] = useState(offer.plans[0]?.slug)
  const [paymentIssue, setPaymentIssue] = useState<string | null>(null)

  const order = async (values: FormValues, submission: Submission) => {
    setPaymentIssue(null)
    try {
      const router = await routers.call['POST /api/virtual_machines'](
        { body: readOrder(values, keys.length > 0) },
        // A missing payment method is shown beside the button.
        { ...submission, notify: (failure) => orderDemand(failure) === null && submission.notify(failure) },
      )
      void queries.invalidateQueries({ queryKey: routerList().queryKey })
      await terms.onOrdered(router.id, values)
      await navigation.navigate({ to: '/routers/$id', params: { id: router.id } })
    } catch (error) {
      const words = orderDemand(error)
      if (words === null) throw error
      setPaymentIssue(words)
    }
  }
  return (
    <Form onSubmit={order} explain={explainOrder} label="Create a router" className="grid gap-6">
      {({ busy }) => (
        <>
          <div className="grid max-w-3xl gap-6">
            {terms.missing}
            <div className="max-w-md">
              <NameField value={proposed} />
            </div>
            <SiteChoice sites={offer.sites} />
            <PlanChoice plans={offer.plans} currency={offer.currency} value={slug} onChange={setSlug} setup />
            <ImageChoice images={offer.images} />
            <SshKeysField known={keys} />
            {terms.use}
            {terms.payment}
          </div>
          <OrderBar
            plan={offer.plans.find((plan) => plan.slug === slug)}
            offer={offer}
            busy={busy}
            taxRate={terms.taxRate}
            paymentIssue={paymentIssue}
            extra={terms.usePrice}
            onAddPaymentMethod={() => {
              setPaymentIssue(null)
              terms.onAddPaymentMethod()
            }}
          />
        </>
      )}
    </Form>
  )
}
