/*
 * The roles are written out because `display: block`, which makes a list of the table on a phone, takes the implied
 * ones away in Safari.
 */
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
import { useDeferredValue, useState, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { TableFilter } from './TableFilter.tsx'
import { filterRows, nextSort, sortRows, type Sort, type SortValue } from './table-rows.ts'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  /** The row's name comes first and holds its link, with the class `row-link`: the whole row then follows it. */
  readonly cell: (row: Row) => ReactNode
  /** Makes the column sortable. */
  readonly sort?: (row: Row) => SortValue
  /** What the filter searches. */
  readonly text?: (row: Row) => string
  readonly align?: 'right'
  /** Left out on a phone's list. */
  readonly wideOnly?: boolean
  /** Actions and their like need no heading to be seen. */
  readonly hiddenHeader?: boolean
}

export interface KeysetPage {
  readonly hasMore: boolean
  readonly busy: boolean
  readonly onMore: () => void
  /** Of all pages, when the server counted. */
  readonly total?: number
}

export interface DataTableProps<Row> {
  /** What it lists: the table's accessible name. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string | number
  /** Shows a filter field. With `onFilter` the server filters; without, what is at hand is searched. */
  readonly filter?: string
  readonly onFilter?: (text: string) => void
  readonly initialFilter?: string
  readonly initialSort?: Sort
  readonly page?: KeysetPage
  /** Stands beside the filter: a choice of states, a button. */
  readonly tools?: ReactNode
  /** Instead of rows when there are none at all. */
  readonly empty?: ReactNode
}

/** A dense table that becomes a list on a phone. Rows are keyed, so news move a cell and never the page. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, page } = props
  const [sort, setSort] = useState<Sort | null>(props.initialSort ?? null)
  const [filter, setFilter] = useState(props.initialFilter ?? '')
  const wanted = useDeferredValue(filter)
  const search = (row: Row) => columns.map((column) => column.text?.(row) ?? '').join(' ')
  const found = props.filter !== undefined && !props.onFilter ? filterRows(rows, search, wanted) : rows
  const by = sort && columns.find((column) => column.id === sort.column)?.sort
  const shown = sort && by ? sortRows(found, by, sort.descending) : found

  const changeFilter = (text: string) => {
    setFilter(text)
    props.onFilter?.(text)
  }
  if (rows.length === 0 && filter === '' && props.empty) return props.empty
  return (
    <div>
      {(props.filter !== undefined || props.tools) && (
        <div className="mb-2.5 flex flex-wrap items-center gap-2">
          {props.filter !== undefined && <TableFilter label={props.filter} value={filter} onChange={changeFilter} />}
          {props.tools}
        </div>
      )}
      <div className="overflow-x-auto rounded-md border border-line bg-surface">
        <table aria-label={label} role="table" className="w-full border-collapse text-left text-base max-md:block">
          <thead role="rowgroup" className="max-md:hidden">
            <tr role="row" className="border-b border-line bg-sunken">
              {columns.map((column) => (
                <HeaderCell
                  key={column.id}
                  column={column}
                  sort={sort}
                  onSort={() => setSort(nextSort(sort, column.id))}
                />
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" className="max-md:block">
            {shown.map((row) => (
              <tr
                key={rowKey(row)}
                role="row"
                className="relative border-b border-line last:border-0 has-[.row-link]:hover:bg-hover max-md:flex max-md:flex-wrap max-md:gap-x-4 max-md:gap-y-1 max-md:px-3 max-md:py-2.5"
              >
                {columns.map((column, index) => (
                  <BodyCell key={column.id} column={column} first={index === 0}>
                    {column.cell(row)}
                  </BodyCell>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {shown.length === 0 && (
          <p className="px-3 py-6 text-center text-base text-dim">
            {filter ? `Nothing matches “${filter}”.` : 'Nothing here yet.'}
          </p>
        )}
      </div>
      {(page || filter !== '') && <TableFoot shown={shown.length} all={page?.total ?? rows.length} page={page} />}
    </div>
  )
}

function HeaderCell<Row>({ column, sort, onSort }: { column: Column<Row>; sort: Sort | null; onSort: () => void }) {
  const on = sort?.column === column.id
  const direction = on ? (sort.descending ? 'descending' : 'ascending') : undefined
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={direction}
      className={`h-9 px-3 text-xs font-medium whitespace-nowrap text-dim ${column.align ? 'text-right' : ''}`}
    >
      {column.sort ? (
        <button
          type="button"
          onClick={onSort}
          className="group inline-flex items-center gap-1 rounded-sm hover:text-ink"
        >
          {column.header}
          <Icon
            name={on ? (sort.descending ? 'down' : 'up') : 'sort'}
            size={11}
            className={on ? 'text-accent' : 'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100'}
          />
        </button>
      ) : (
        <span className={column.hiddenHeader ? 'sr-only' : ''}>{column.header}</span>
      )}
    </th>
  )
}

function BodyCell<Row>({ column, first, children }: { column: Column<Row>; first: boolean; children: ReactNode }) {
  const phone = column.wideOnly ? 'max-md:hidden' : first ? 'max-md:w-full max-md:pr-10' : ''
  // On a phone the actions keep to the corner, wherever the row's facts wrap.
  const corner = column.hiddenHeader ? 'max-md:absolute max-md:top-1.5 max-md:right-2' : ''
  return (
    <td
      role="cell"
      className={`h-9.5 px-3 py-1 max-md:h-auto max-md:p-0 ${column.align ? 'text-right' : ''} ${phone} ${corner}`}
    >
      {!first && !column.hiddenHeader && (
        <span aria-hidden className="mr-1.5 text-xs text-faint md:hidden">
          {column.header}
        </span>
      )}
      {children}
    </td>
  )
}

function TableFoot({ shown, all, page }: { shown: number; all: number; page: KeysetPage | undefined }) {
  // While there is more and nobody counted it, what is at hand is not all.
  const uncounted = page?.hasMore === true && page.total === undefined
  const words = shown !== all ? `${shown} of ${all}` : uncounted ? `${all} so far` : `${all} in all`
  return (
    <div className="mt-2 flex items-center justify-between gap-3 text-sm text-faint">
      <output className="num">{words}</output>
      {page?.hasMore && (
        <Button size="sm" busy={page.busy} changes={false} onClick={page.onMore}>
          Show more
        </Button>
      )}
    </div>
  )
}
