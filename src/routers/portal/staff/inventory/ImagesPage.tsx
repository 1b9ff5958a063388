import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMissingRoleReason } from '../../../../ui/runtime/required-role.ts'
import { Button } from '../../../../ui/components/Button.tsx'
import { DataTable } from '../../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../../ui/components/EmptyState.tsx'
import type { InventoryImage } from '../../../inventory/contract.ts'
import { images, staffRouters } from '../api.ts'
import { useAction } from '../../../../ui/staff/use-action.ts'
import { imageColumns } from './image-columns.tsx'
import { ImageDialog } from './ImageDialog.tsx'
import { InventoryLayout } from './InventoryLayout.tsx'

/** The images that routers boot. */
export function ImagesPage() {
  const { data } = useSuspenseQuery(images())
  const blockedReason = useMissingRoleReason('network')
  const { runAction } = useAction()
  /** Null: a new one. */
  const [edited, setEdited] = useState<InventoryImage | null | undefined>()
  const change = (image: InventoryImage, body: { retired: boolean } | { default: true }, done: string) =>
    runAction(
      image.id,
      () => staffRouters.call['PATCH /api/admin/images/{id}']({ params: { id: image.id }, body }),
      done,
    )
  const add = (
    <Button variant="primary" icon="plus" disabledReason={blockedReason} onClick={() => setEdited(null)}>
      Publish image
    </Button>
  )
  return (
    <InventoryLayout title="Images" summary="Router images in display order. The first is the default." actions={add}>
      <DataTable
        label="Images"
        columns={imageColumns({
          blockedReason,
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
    </InventoryLayout>
  )
}
