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
      Publish image
    </Button>
  )
  return (
    <StockFrame title="Images" summary="Router images in display order. The first is the default." actions={add}>
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
              image.retiredAt === null ? `${image.name} retired` : `${image.name} published again`,
            ),
          onDefault: (image) => change(image, { default: true }, `${image.name} is now the default`),
        })}
        rows={data.images}
        rowKey={(image) => image.id}
        empty={
          <EmptyState icon="play" title="No images yet" action={add}>
            Build an image into IMAGE_DIR with images/appliance/build.ts, then publish it here for customers.
          </EmptyState>
        }
      />
      {edited !== undefined && (
        <ImageDialog image={edited} unoffered={data.unoffered} onClose={() => setEdited(undefined)} />
      )}
    </StockFrame>
  )
}
