import { Absent } from '../../../portal/ui/Absent.tsx'
import { Amount } from '../../../portal/ui/Amount.tsx'
import { Copyable } from '../../../portal/ui/Copyable.tsx'
import type { Column } from '../../../portal/ui/DataTable.tsx'
import { Menu } from '../../../portal/ui/Menu.tsx'
import { bytes } from '../../../portal/ui/quantity.ts'
import { StatusBadge } from '../../../portal/ui/StatusBadge.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import type { StockImage } from '../../../routers/stock/contract.ts'

export interface ImageTable {
  readonly refusal: string | null
  /** How many can be chosen. */
  readonly offered: number
  readonly onEdit: (image: StockImage) => void
  readonly onRetire: (image: StockImage) => void
  readonly onDefault: (image: StockImage) => void
}

const UNKNOWN = <Absent />

export const imageColumns = (table: ImageTable): readonly Column<StockImage>[] => [
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
  {
    id: 'actions',
    header: 'Actions',
    hiddenHeader: true,
    align: 'right',
    cell: (image) => <ImageMenu image={image} table={table} />,
  },
]

function ImageMenu({ image, table }: { image: StockImage; table: ImageTable }) {
  const { refusal } = table
  const retired = image.retiredAt !== null
  return (
    <Menu
      label={`Actions for ${image.name}`}
      entries={[
        { label: 'Edit', icon: 'edit', disabledReason: refusal, onSelect: () => table.onEdit(image) },
        {
          label: 'Make default',
          icon: 'up',
          disabledReason:
            refusal ?? (retired ? 'This image is retired.' : image.isDefault ? 'This is already the default.' : null),
          onSelect: () => table.onDefault(image),
        },
        {
          label: retired ? 'Publish again' : 'Retire',
          icon: retired ? 'check' : 'cross',
          disabledReason: refusal ?? (!retired && table.offered === 1 ? 'This is the only published image.' : null),
          onSelect: () => table.onRetire(image),
        },
      ]}
    />
  )
}
