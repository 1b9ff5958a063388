/** Setup fees of routers and transit. Those slices report the event, and the price list has the price. */
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import type { RouterPricing } from '../../routers/index.ts'
import type { TransitSetUp } from '../../transit/index.ts'
import { oneOffPriceAt } from '../prices/one-off-products.ts'
import { priceAt, readPriceList } from '../prices/price-list.ts'
import { readSettings } from '../settings.ts'
import { addOneOffCharge } from './one-off-charge.ts'

export const routerPricing = ({ clock }: { readonly clock: Clock }): RouterPricing => ({
  async addresses(db) {
    const list = await readPriceList(db, (await readSettings(db)).currency)
    return ([4, 6] as const).flatMap((family) => {
      const price = priceAt(list.get(`address:ipv${family}`) ?? [], clock.now())
      if (!price || (price.hourly === 0 && price.monthly === 0)) return []
      return [{ family, hourlyPrice: price.hourly, monthlyPrice: price.monthly }]
    })
  },
  chargeSetUp: (db, { id, accountId, name, plan, setupPrice }, at) =>
    addOneOffCharge(
      db,
      {
        accountId,
        product: `setup:router:${plan}`,
        reference: `setup:router:${id}`,
        description: `Setup of router ${name}`,
        amount: setupPrice,
      },
      at,
    ),
})

const PRODUCT = 'setup:transit'
const referenceOf = (connectionId: number): string => `setup:transit:${connectionId}`

/** Uses the price at the time when the customer created the connection, so nobody pays a price they could not see. */
export const transitSetUp: TransitSetUp = {
  async price(db, connection, now) {
    const { currency } = await readSettings(db)
    const charged = connection && (await chargedBefore(db, referenceOf(connection.id)))
    const amount =
      charged?.amount ?? (await oneOffPriceAt(db, { product: PRODUCT, currency, at: connection?.madeAt ?? now }))
    return amount === 0 ? null : { amount, currency, charged: charged != null }
  },
  async charge(db, { id, accountId, madeAt }, at) {
    const { currency } = await readSettings(db)
    const amount = await oneOffPriceAt(db, { product: PRODUCT, currency, at: madeAt })
    const fee = { accountId, product: PRODUCT, reference: referenceOf(id), description: 'Setup of IP transit', amount }
    await addOneOffCharge(db, fee, at)
  },
}

const chargedBefore = (db: Db, reference: string): Promise<{ amount: number } | undefined> =>
  db.selectFrom('billing_items').select('amount').where('reference', '=', reference).executeTakeFirst()
