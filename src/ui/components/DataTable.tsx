/*
 * The roles are explicit because `display: block`, which turns the table into a list on a phone, removes the implied
 * ones in Safari.
 */
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
import { lazy, Suspense, useDeferredValue, useRef, useState, type ReactNode } from 'react'
import { cx } from './class-names.ts'
import { Icon } from './Icon.tsx'
import { useRowKeys } from './use-row-keys.ts'
import { FILTER_FROM, filterRows, nextSort, sortRows, type Sort, type SortValue } from './table-rows.ts'

/** Only for lists that are long or searched, so it stays out of the first load. */
/** Lists of a few rows have none; elsewhere its place is reserved. */
const TableFilter = lazy(() => import('./TableFilter.tsx').then((module) => ({ default: module.TableFilter })))
const TableFooter = lazy(() => import('./TableFooter.tsx'))

export type CsvValue = string | number | boolean | null | undefined

export interface Column<Row> {
  readonly id: string
  readonly header: string
  /** Replaces the heading's text. */
  readonly head?: ReactNode
  /**
   * Renders the cell. The row's name comes first and holds its link, with the class `row-link`, which makes the whole
   * row clickable.
   */
  readonly cell: (row: Row) => ReactNode
  /** Makes the column sortable. */
  readonly sort?: ((row: Row) => SortValue) | undefined
  /** The text that the filter searches. */
  readonly text?: (row: Row) => string
  /** The value in CSV exports; without it the column is not exported. */
  readonly csv?: ((row: Row) => CsvValue) | undefined
  readonly align?: 'right'
  /** Left out of a phone's list, and where a table has little room. */
  readonly wideOnly?: boolean
  /** A managed table shows it once the reader chooses it. */
  readonly hiddenAtFirst?: boolean
  /** For a column that a phone's list leaves out: the class that says where it is shown. */
  readonly className?: string
  /** In a list it is at the end of the name's line: a state, an amount, a time. Not together with actions. */
  readonly besideName?: boolean
  /** Actions and the like need no heading on screen. */
  readonly hiddenHeader?: boolean
}

export interface KeysetPage {
  readonly hasMore: boolean
  readonly busy: boolean
  readonly onMore: () => void
  /** Whether the rows match the current filter text, and not an earlier one. */
  readonly answered?: boolean
  /** The rows of all pages, when the server counted them. */
  readonly total?: number
}

export interface DataTableProps<Row> {
  /** The accessible name of the table. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string | number
  /** Shows a filter field. With `onFilter` the server filters; without it, the loaded rows are searched if they are many. */
  readonly filter?: string
  readonly onFilter?: (text: string) => void
  readonly initialFilter?: string
  /** With `onSort` the rows arrive sorted, and the headers request another order. */
  readonly sort?: Sort | null
  readonly onSort?: (column: string) => void
  readonly page?: KeysetPage
  /** The total of rows that were filtered before they came here. */
  readonly total?: number
  /** Used instead of the page's value where there are no pages. */
  readonly answered?: boolean
  /** The table's class. */
  readonly className?: string | undefined
  /** How many rows to show at first when all are loaded; a button shows the rest. */
  readonly firstRows?: number
  /** Controls beside the filter: a choice of states, a button. */
  readonly tools?: ReactNode
  /** Shown when there are no rows at all. */
  readonly empty?: ReactNode
}

/** Nobody reads more rows at once, and they are slow to draw. */
const FIRST_ROWS = 100

/**
 * A dense table that becomes a list where it has little room. Rows are keyed, so a change event updates a cell and
 * never moves the page.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, page, firstRows = FIRST_ROWS } = props
  const [most, setMost] = useState(firstRows)
  const [ownSort, setSort] = useState<Sort | null>(null)
  const { sort = ownSort, onSort = (column) => setSort(nextSort(ownSort, column)) } = props
  const [filter, setFilter] = useState(props.initialFilter ?? '')
  const wanted = useDeferredValue(filter)
  const filterLabel = props.onFilter || rows.length >= FILTER_FROM ? props.filter : undefined
  const search = (row: Row) => columns.map((column) => column.text?.(row) ?? '').join(' ')
  const found = filterLabel && !props.onFilter ? filterRows(rows, search, wanted) : rows
  const by = sort && !props.onSort && columns.find((column) => column.id === sort.column)?.sort
  const sorted = sort && by ? sortRows(found, by, sort.descending) : found
  const folds = !page && sorted.length > most
  const shown = folds ? sorted.slice(0, most) : sorted

  const box = useRef<HTMLDivElement>(null)
  const onKeyDown = useRowKeys(box, props.onFilter ? (props.answered ?? page?.answered) !== false : wanted === filter)

  const name = columns[0]?.className ? 1 : 0
  const spares = columns.some((column) => column.besideName || column.hiddenHeader)
  const changeFilter = (text: string) => {
    setFilter(text)
    props.onFilter?.(text)
  }
  if (rows.length === 0 && filter === '' && props.empty) return props.empty
  return (
    // Its content handles the keys: the filter and the links of the rows.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={box} onKeyDown={onKeyDown}>
      {(filterLabel || props.tools) && (
        <div className="mb-2.5 flex flex-wrap items-center gap-2">
          {filterLabel && (
            <Suspense fallback={<span className="h-8 min-w-48 pointer-coarse:h-10" />}>
              <TableFilter label={filterLabel} value={filter} onChange={changeFilter} />
            </Suspense>
          )}
          {props.tools}
        </div>
      )}
      {/* Positioned, so that visually hidden content is clipped with it and does not widen the page. */}
      <div className="@container relative overflow-x-auto rounded-md border border-line bg-surface">
        <table
          aria-label={label}
          role="table"
          className={cx('w-full border-collapse text-left text-base @max-list:block', props.className)}
        >
          <thead role="rowgroup" className="@max-list:hidden">
            <tr role="row" className="border-b border-line bg-sunken">
              {columns.map((column) => (
                <HeaderCell key={column.id} column={column} sort={sort} onSort={() => onSort(column.id)} />
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" className="@max-list:block">
            {shown.map((row) => (
              <tr
                key={rowKey(row)}
                role="row"
                className="relative border-b border-line last:border-0 has-[.row-link]:hover:bg-hover @max-list:flex @max-list:flex-wrap @max-list:gap-x-6 @max-list:gap-y-1 @max-list:px-3 @max-list:py-2.5"
              >
                {columns.map((column, index) => (
                  <BodyCell key={column.id} column={column} first={index === name} spared={spares}>
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
      {(page || folds || filter !== '') && rows.length > 0 && (
        <Suspense>
          <TableFooter
            shown={shown.length}
            all={props.total ?? page?.total ?? rows.length}
            more={folds ? { hasMore: true, busy: false, onMore: () => setMost(most + FIRST_ROWS) } : page}
            counted={folds || page?.total !== undefined}
          />
        </Suspense>
      )}
    </div>
  )
}

/** For a column that is not worth a scroll bar. */
const hidesIn = <Row,>({ className, wideOnly }: Column<Row>) => className ?? (wideOnly ? 'hidden @3xl:table-cell' : '')

function HeaderCell<Row>({ column, sort, onSort }: { column: Column<Row>; sort: Sort | null; onSort: () => void }) {
  const on = sort?.column === column.id
  const direction = on ? (sort.descending ? 'descending' : 'ascending') : undefined
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={direction}
      className={`h-9 px-3 text-xs font-medium whitespace-nowrap text-dim ${column.align ? 'text-right' : ''} ${hidesIn(column)}`}
    >
      {column.sort ? (
        <button
          type="button"
          onClick={onSort}
          className="group relative inline-flex items-center gap-1 rounded-sm hover:text-ink"
        >
          {column.header}
          <Icon
            name={on ? (sort.descending ? 'down' : 'up') : 'sort'}
            size={11}
            // On the inner side and out of the flow, so that a heading ends where its numbers do.
            className={cx(
              column.align && 'absolute right-full mr-1',
              on ? 'text-accent' : 'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100',
            )}
          />
        </button>
      ) : (
        (column.head ?? <span className={column.hiddenHeader ? 'sr-only' : ''}>{column.header}</span>)
      )}
    </th>
  )
}

function BodyCell<Row>({
  column,
  first,
  spared,
  children,
}: {
  column: Column<Row>
  first: boolean
  /** Another column is at the end of the name's line. */
  spared: boolean
  children: ReactNode
}) {
  const hides = hidesIn(column)
  // In a list the name takes the first line, with its state or its actions at the end, wherever their columns are.
  const named = first || column.besideName || column.hiddenHeader
  const place = first
    ? `@max-list:wrap-anywhere ${spared ? '@max-list:grow @max-list:basis-1/3 @max-list:content-center' : '@max-list:basis-full'}`
    : column.hiddenHeader
      ? '@max-list:-my-1.5 @max-list:-mr-1 @max-list:content-center'
      : column.besideName
        ? ''
        : '@max-list:order-1 @max-list:grid @max-list:basis-full @max-list:grid-cols-[6.5rem_minmax(0,1fr)] @max-list:gap-x-2 @max-list:@md:basis-[calc(50%-0.75rem)] @max-list:items-baseline @max-list:text-left @max-list:has-data-absent:hidden'
  return (
    <td
      role="cell"
      className={cx(
        'h-9.5 px-3 py-1',
        column.align && 'text-right',
        hides || `@max-list:h-auto @max-list:p-0 ${place}`,
      )}
    >
      {hides || named ? (
        children
      ) : (
        <>
          <span aria-hidden className="text-xs text-faint @list:hidden">
            {column.header}
          </span>
          <div className="min-w-0 @list:contents">{children}</div>
        </>
      )}
    </td>
  )
}
