import { useState } from 'react'
import type { Direction } from '../../../billing/states.ts'
import type { Price } from '../../../billing/contract.ts'
import type { Input } from '../../../kernel/endpoint.ts'
import type { BillingApi } from '../../../billing/contract.ts'
import { explainFailure } from '../../../portal/explain-failure.ts'
import { notify } from '../../../portal/notifications.ts'
import { Dialog } from '../../../portal/ui/Dialog.tsx'
import { TextField } from '../../../portal/ui/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../portal/ui/Form.tsx'
import { FormFoot } from '../../../portal/ui/FormFoot.tsx'
import { money, type Of, type Plan } from './api.ts'
import { dayFromNow, parseMoney, readDecimal } from './money-words.ts'
import { OnceEffect, PriceEffect } from './PriceEffect.tsx'
import { PriceFields } from './PriceFields.tsx'
import { isChargedOnce, priceNow, productName } from './price-words.ts'

type Wish = Input<BillingApi['POST /api/admin/prices']>['body']

/** A new version: first what it would do, then, once that was seen, the deed. */
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
  const [shown, setShown] = useState<{ wish: string; effect: Of<'POST /api/admin/prices/preview'> } | null>(null)
  const currency = plan?.currency ?? prices[0]?.currency ?? 'EUR'
  const submit = async (values: FormValues, submission: Submission) => {
    const body = wishOf(product, currency, values, prices)
    const wish = JSON.stringify(body)
    if (shown?.wish !== wish) {
      const effect = await money.call['POST /api/admin/prices/preview']({ body }, { notify: false })
      return setShown({ wish, effect })
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
            defaultValue={dayFromNow(isChargedOnce(product) ? 1 : 31)}
            hint="At 00:00 UTC on that day"
          />
        </div>
        {shown && !isChargedOnce(product) && <PriceEffect effect={shown.effect} />}
        {shown && isChargedOnce(product) && <OnceEffect product={product} />}
        <FormFoot onCancel={onClose}>{shown ? 'Set price' : 'Preview impact'}</FormFoot>
      </Form>
    </Dialog>
  )
}

function wishOf(product: string, currency: string, values: FormValues, prices: readonly Price[]): Wish {
  const amount = (name: string) => parseMoney(values.text(name), currency) ?? 0
  const begins = { product, effectiveFrom: `${values.text('effectiveFrom')}T00:00:00Z` }
  if (isChargedOnce(product)) {
    const once = { ...begins, oncePrice: amount('oncePrice') }
    return product.startsWith('fee:') ? { ...once, name: productName(product, [], prices) } : once
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
