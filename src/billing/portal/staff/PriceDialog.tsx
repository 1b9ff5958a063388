import { useState } from 'react'
import type { Direction } from '../../states.ts'
import type { Price } from '../../contract.ts'
import type { Input } from '../../../kernel/endpoint.ts'
import type { BillingApi } from '../../contract.ts'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { notify } from '../../../ui/runtime/notifications.ts'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { TextField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import { money, type Of, type Plan } from './api.ts'
import { dayFromNow, parseMoney, readDecimal } from './money-labels.ts'
import { FeePriceImpact, PriceImpact } from './PriceImpact.tsx'
import { PriceFields } from './PriceFields.tsx'
import { isOneOff, priceNow, productName } from './price-labels.ts'

type PriceInput = Input<BillingApi['POST /api/admin/prices']>['body']

/** Adds a price version in two steps: preview its impact, then confirm. */
export function PriceDialog({
  product,
  prices,
  plans,
  onClose,
}: {
  product: string
  prices: readonly Price[]
  plans: readonly Plan[]
  onClose: () => void
}) {
  const name = productName(product, plans, prices)
  const plan = plans.find((one) => `router:${one.slug}` === product)
  const [shown, setShown] = useState<{ key: string; impact: Of<'POST /api/admin/prices/preview'> } | null>(null)
  const currency = plan?.currency ?? prices[0]?.currency ?? 'EUR'
  const submit = async (values: FormValues, submission: Submission) => {
    const body = priceKey(product, currency, values, prices)
    const key = JSON.stringify(body)
    if (shown?.key !== key) {
      const impact = await money.call['POST /api/admin/prices/preview']({ body }, { notify: false })
      return setShown({ key, impact })
    }
    await money.call['POST /api/admin/prices']({ body }, submission)
    notify({ type: 'success', title: `New price set for ${name}`, body: '' })
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={`New price for ${name}`}>
      <Form onSubmit={submit} explain={explainFailure}>
        <div className="grid gap-4" onInput={() => setShown(null)}>
          <PriceFields product={product} currency={currency} now={priceNow(product, prices) ?? plan} />
          <TextField
            label="From"
            name="effectiveFrom"
            type="date"
            required
            min={dayFromNow(1)}
            defaultValue={dayFromNow(isOneOff(product) ? 1 : 31)}
            hint="At 00:00 UTC on that day"
          />
        </div>
        {shown && !isOneOff(product) && <PriceImpact impact={shown.impact} />}
        {shown && isOneOff(product) && <FeePriceImpact product={product} />}
        <FormFooter onCancel={onClose}>{shown ? 'Set price' : 'Preview impact'}</FormFooter>
      </Form>
    </Dialog>
  )
}

function priceKey(product: string, currency: string, values: FormValues, prices: readonly Price[]): PriceInput {
  const amount = (name: string) => parseMoney(values.text(name), currency) ?? 0
  const begins = { product, effectiveFrom: `${values.text('effectiveFrom')}T00:00:00Z` }
  if (isOneOff(product)) {
    const oneOff = { ...begins, oneOffPrice: amount('oneOffPrice') }
    return product.startsWith('fee:') ? { ...oneOff, name: productName(product, [], prices) } : oneOff
  }
  const common = { ...begins, monthlyPrice: amount('monthlyPrice') }
  if (product !== 'transit') return { ...common, hourlyPrice: amount('hourlyPrice') }
  return {
    ...common,
    transit: {
      commitBps: Math.round(readDecimal(values.text('transit.commitBps')) * 1_000_000),
      overagePrice: amount('transit.overagePrice'),
      direction: values.text('transit.direction') as Direction,
    },
  }
}
