import type { Price } from '../../contract.ts'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import type { Plan } from './api.ts'
import { NewPriceButton } from './NewPriceButton.tsx'
import { NextPrice } from './NextPrice.tsx'
import { isOneOff, priceNow, productName } from './price-labels.ts'
import { actionsColumn } from '../../../ui/components/actions-column.ts'
import { Money } from '../Money.tsx'

interface FeeTableProps {
  readonly prices: readonly Price[]
  readonly plans: readonly Plan[]
  readonly currency: string
  readonly onPrice: (product: string) => void
}

/** Lists one-off charges: the setup fees of plans on sale and of transit, and named fees. */
export function FeeTable(props: FeeTableProps) {
  const { prices, plans } = props
  const sold = plans.filter((plan) => plan.retiredAt === null).map((plan) => `setup:router:${plan.slug}`)
  const listed = prices.map((price) => price.product).filter(isOneOff)
  const products = [...new Set([...sold, 'setup:transit', ...listed])]
  return <DataTable label="One-time fees" columns={columns(props)} rows={products} rowKey={(product) => product} />
}

const columns = ({ prices, plans, currency, onPrice }: FeeTableProps): readonly Column<string>[] => [
  {
    id: 'name',
    header: 'Fee',
    cell: (product) => <span className="font-medium">{productName(product, plans, prices)}</span>,
  },
  {
    id: 'when',
    header: 'Charged',
    wideOnly: true,
    cell: (product) => <span className="text-dim">{whenCharged(product)}</span>,
  },
  {
    id: 'price',
    header: 'Price',
    align: 'right',
    cell: (product) => {
      const oneOff = priceNow(product, prices)?.oneOffPrice
      return oneOff ? <Money amount={oneOff} currency={currency} /> : <EmptyValue />
    },
  },
  { id: 'next', header: 'Upcoming', cell: (product) => <NextPrice product={product} prices={prices} /> },
  actionsColumn((product) => (
    <NewPriceButton name={productName(product, plans, prices)} onClick={() => onPrice(product)} />
  )),
]

function whenCharged(product: string): string {
  if (product.startsWith('fee:')) return 'when staff charge it'
  return product === 'setup:transit' ? 'when the first session comes up' : 'when a router first comes online'
}
