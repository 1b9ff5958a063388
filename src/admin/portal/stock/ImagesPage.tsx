import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { Button } from '../../../portal/ui/Button.tsx'
import { DataTable } from '../../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../../portal/ui/EmptyState.tsx'
import type { StockImage } from '../../../routers/stock/contract.ts'
import { images, staff } from '../api.ts'
import { useDeed } from '../use-deed.ts'
import { imageColumns } from './image-columns.tsx'
import { ImageDialog } from './ImageDialog.tsx'
import { StockFrame } from './StockFrame.tsx'

/** What routers boot. */
export function ImagesPage() {
  const { data } = useSuspenseQuery(images())
  const refusal = useDutyRefusal('network')
  const { act } = useDeed()
  /** Null: a new one. */
  const [edited, setEdited] = useState<StockImage | null | undefined>()
  const change = (image: StockImage, body: { retired: boolean } | { default: true }, done: string) =>
    act(image.id, () => staff.call['PATCH /api/admin/images/{id}']({ params: { id: image.id }, body }), done)
  const add = (
    <Button look="primary" icon="plus" disabledReason={refusal} onClick={() => setEdited(null)}>
      Offer image
    </Button>
  )
  return (
    <StockFrame
      title="Images"
      summary="What routers boot, in the order that customers see. The first is chosen for whoever chooses none."
      actions={add}
    >
      <DataTable
        label="Images"
        columns={imageColumns({
          refusal,
          offered: data.images.filter(({ retiredAt }) => retiredAt === null).length,
          onEdit: setEdited,
          onRetire: (image) =>
            change(
              image,
              { retired: image.retiredAt === null },
              image.retiredAt === null ? `${image.name} is not offered any more` : `${image.name} is offered again`,
            ),
          onDefault: (image) => change(image, { default: true }, `${image.name} is the default`),
        })}
        rows={data.images}
        rowKey={(image) => image.id}
        empty={
          <EmptyState icon="play" title="No images yet" action={add}>
            An image lies in IMAGE_DIR, as images/appliance/build.ts makes it. Offered here, customers can choose it.
          </EmptyState>
        }
      />
      {edited !== undefined && (
        <ImageDialog image={edited} unoffered={data.unoffered} onClose={() => setEdited(undefined)} />
      )}
    </StockFrame>
  )
}
