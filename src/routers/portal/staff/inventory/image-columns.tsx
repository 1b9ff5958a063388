import { EmptyValue } from '../../../../ui/components/EmptyValue.tsx'
import { Amount } from '../../../../ui/components/Amount.tsx'
import { Copyable } from '../../../../ui/components/Copyable.tsx'
import type { Column } from '../../../../ui/components/DataTable.tsx'
import { Menu } from '../../../../ui/components/Menu.tsx'
import { bytes } from '../../../../ui/components/quantity.ts'
import { StatusBadge } from '../../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import type { InventoryImage } from '../../../inventory/contract.ts'
import { actionsColumn } from '../../../../ui/components/actions-column.ts'

export interface ImageTable {
  readonly blockedReason: string | null
  /** How many images can be chosen. */
  readonly offered: number
  readonly onEdit: (image: InventoryImage) => void
  readonly onRetire: (image: InventoryImage) => void
  readonly onDefault: (image: InventoryImage) => void
}

const UNKNOWN = <EmptyValue />

export const imageColumns = (table: ImageTable): readonly Column<InventoryImage>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name, slug }) => (
      <>
        <span className="font-medium">{name}</span> <span className="font-mono text-xs text-faint">{slug}</span>
      </>
    ),
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ retiredAt, isDefault, file, lackedBy, differsAt }) => (
      <span className="inline-flex flex-wrap gap-1.5">
        <StatusBadge tone={retiredAt === null ? 'ok' : 'off'}>
          {retiredAt === null ? 'Published' : 'Retired'}
        </StatusBadge>
        {isDefault && <StatusBadge tone="unknown">Default</StatusBadge>}
        {!file && <StatusBadge tone="bad">No files found</StatusBadge>}
        {file && lackedBy.length > 0 && <StatusBadge tone="bad">Not on {lackedBy.join(', ')}</StatusBadge>}
        {differsAt.length > 0 && <StatusBadge tone="warn">Different files on {differsAt.join(', ')}</StatusBadge>}
      </span>
    ),
  },
  { id: 'version', header: 'Version', cell: ({ file }) => file?.version ?? UNKNOWN },
  {
    id: 'digest',
    header: 'SHA-256',
    cell: ({ file }) =>
      file?.digest ? (
        <Copyable value={file.digest} what="checksum">
          {file.digest.slice(0, 12)}…
        </Copyable>
      ) : (
        UNKNOWN
      ),
  },
  {
    id: 'size',
    header: 'Size',
    align: 'right',
    cell: ({ file }) => (file?.bytes == null ? UNKNOWN : <Amount of={bytes(file.bytes)} />),
  },
  {
    id: 'location',
    header: 'Path',
    cell: ({ file, source }) => <span className="font-mono text-xs wrap-anywhere">{file?.location ?? source}</span>,
    wideOnly: true,
  },
  { id: 'built', header: 'Built', cell: ({ file }) => <Time at={file?.builtAt} /> },
  {
    id: 'routers',
    header: 'Routers',
    align: 'right',
    cell: ({ routers }) => <span className="num">{routers}</span>,
  },
  actionsColumn((image) => <ImageMenu image={image} table={table} />),
]

function ImageMenu({ image, table }: { image: InventoryImage; table: ImageTable }) {
  const { blockedReason } = table
  const retired = image.retiredAt !== null
  return (
    <Menu
      label={`Actions for ${image.name}`}
      entries={[
        { label: 'Edit', icon: 'edit', disabledReason: blockedReason, onSelect: () => table.onEdit(image) },
        {
          label: 'Make default',
          icon: 'up',
          disabledReason:
            blockedReason ??
            (retired ? 'This image is retired.' : image.isDefault ? 'This is already the default.' : null),
          onSelect: () => table.onDefault(image),
        },
        {
          label: retired ? 'Publish again' : 'Retire',
          icon: retired ? 'check' : 'cross',
          disabledReason:
            blockedReason ?? (!retired && table.offered === 1 ? 'This is the only published image.' : null),
          onSelect: () => table.onRetire(image),
        },
      ]}
    />
  )
}
