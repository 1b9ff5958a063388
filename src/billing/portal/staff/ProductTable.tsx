import type { Price } from '../../contract.ts'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { NewPriceButton } from './NewPriceButton.tsx'
import { NextPrice } from './NextPrice.tsx'
import { ADDRESS_PRODUCTS, priceNow, priceText, productName } from './price-labels.ts'
import { actionsColumn } from '../../../ui/components/actions-column.ts'

const PRODUCTS = [...ADDRESS_PRODUCTS, 'transit'] as const
type Product = (typeof PRODUCTS)[number]

/** Lists the products other than plans. A product without a price is free. */
export function ProductTable({ prices, onPrice }: { prices: readonly Price[]; onPrice: (product: string) => void }) {
  return (
    <DataTable
      label="Addresses and transit"
      columns={columns(prices, onPrice)}
      rows={PRODUCTS}
      rowKey={(product) => product}
    />
  )
}

const columns = (prices: readonly Price[], onPrice: (product: string) => void): readonly Column<Product>[] => [
  { id: 'name', header: 'Product', cell: (product) => <span className="font-medium">{productName(product, [])}</span> },
  {
    id: 'price',
    header: 'Price',
    cell: (product) => {
      const price = priceNow(product, prices)
      return price ? <span className="num">{priceText(price)}</span> : <span className="text-faint">free</span>
    },
  },
  { id: 'next', header: 'Upcoming', cell: (product) => <NextPrice product={product} prices={prices} /> },
  actionsColumn((product) => <NewPriceButton name={productName(product, [])} onClick={() => onPrice(product)} />),
]
