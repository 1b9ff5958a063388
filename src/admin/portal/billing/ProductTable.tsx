import type { Price } from '../../../billing/contract.ts'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { DataTable, type Column } from '../../../portal/ui/DataTable.tsx'
import { moneyText } from './money-words.ts'
import { NextPrice } from './NextPrice.tsx'
import { ADDRESS_PRODUCTS, priceNow, priceText, productName } from './price-words.ts'

const PRODUCTS = [...ADDRESS_PRODUCTS, 'transit'] as const
type Product = (typeof PRODUCTS)[number]

/** What is sold beside the plans; without a price it is free. */
export function ProductTable({
  prices,
  currency,
  onPrice,
}: {
  prices: readonly Price[]
  currency: string
  onPrice: (product: string) => void
}) {
  const duty = useDutyRefusal('billing')
  return (
    <DataTable
      label="Addresses and transit"
      columns={columns(prices, currency, duty, onPrice)}
      rows={PRODUCTS}
      rowKey={(product) => product}
    />
  )
}

const columns = (
  prices: readonly Price[],
  currency: string,
  duty: string | null,
  onPrice: (product: string) => void,
): readonly Column<Product>[] => [
  { id: 'name', header: 'Product', cell: (product) => <span className="font-medium">{productName(product, [])}</span> },
  {
    id: 'price',
    header: 'Price',
    cell: (product) => {
      const price = priceNow(product, prices)
      return price ? (
        <span className="num">{priceText(price)}</span>
      ) : (
        <span className="text-faint">none: {moneyText(0, currency)}</span>
      )
    },
  },
  { id: 'next', header: 'To come', cell: (product) => <NextPrice product={product} prices={prices} /> },
  {
    id: 'actions',
    header: 'Actions',
    hiddenHeader: true,
    align: 'right',
    cell: (product) => (
      <Button
        size="sm"
        aria-label={`New price of ${productName(product, [])}`}
        disabledReason={duty}
        onClick={() => onPrice(product)}
      >
        New price
      </Button>
    ),
  },
]
