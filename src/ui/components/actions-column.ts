import type { ReactNode } from 'react'
import type { Column } from './DataTable.tsx'

/** The last column of a table: what can be done with a row. */
export const actionsColumn = <Row>(cell: (row: Row) => ReactNode): Column<Row> => ({
  id: 'actions',
  header: 'Actions',
  hiddenHeader: true,
  align: 'right',
  cell,
})
