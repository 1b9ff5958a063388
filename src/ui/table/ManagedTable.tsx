import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type RowData,
  type SortingState,
  type Updater,
} from '@tanstack/react-table'
import { useDeferredValue, useMemo, useState, type ReactNode } from 'react'
import { Button } from '../components/Button.tsx'
import { cx } from '../components/class-names.ts'
import { DataTable, type Column, type DataTableProps } from '../components/DataTable.tsx'
import { Menu } from '../components/Menu.tsx'
import { compareValues, FILTER_FROM, filterRows, type Sort } from '../components/table-rows.ts'
import { RowCheckbox } from './RowCheckbox.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { useTableView } from './table-view.ts'
import { grouped } from '../components/quantity.ts'

const features = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
})

/** For lists that come in pages: the server sorts, by columns that an index has. */
export interface ServerSort {
  readonly current: Sort | null
  readonly onChange: (sort: Sort | null) => void
  /** Ids of the columns that the server sorts by. */
  readonly columns: readonly string[]
}

export interface Selection<Row> {
  /** The name of what a checkbox selects, for screen readers. */
  readonly nameOf: (row: Row) => string
  /** Left out, every row can be selected. */
  readonly canSelect?: (row: Row) => boolean
  /** Buttons for the selected rows, beside the export. */
  readonly actions?: (rows: readonly Row[], clear: () => void) => ReactNode
}

export interface ManagedTableProps<Row> extends Omit<
  DataTableProps<Row>,
  'sort' | 'onSort' | 'total' | 'answered' | 'className'
> {
  /** The key under which its view is stored. */
  readonly id: string
  readonly serverSort?: ServerSort
  readonly selection?: Selection<Row>
}

const COMPACT = '@list:[&_td]:h-7'

/**
 * A table whose columns, density, order and selection the reader controls. For lists to work with; `DataTable` is for
 * lists to read.
 */
export function ManagedTable<Row extends RowData>(props: ManagedTableProps<Row>) {
  const { id, columns, rows, rowKey, serverSort, selection, ...rest } = props
  const [view, setView] = useTableView(
    id,
    columns.filter((column) => column.hiddenAtFirst).map((column) => column.id),
  )
  const [ownSort, setOwnSort] = useState<Sort | null>(null)
  const sort = serverSort ? serverSort.current : ownSort
  const setSort = serverSort ? serverSort.onChange : setOwnSort

  const [text, setText] = useState(rest.initialFilter ?? '')
  const deferred = useDeferredValue(text)
  const filtersHere = rest.filter !== undefined && !rest.onFilter && rows.length >= FILTER_FROM
  const wanted = filtersHere ? deferred : ''
  const found = useMemo(
    () => filterRows(rows, (row) => columns.map((column) => column.text?.(row) ?? '').join(' '), wanted),
    [rows, columns, wanted],
  )

  const definitions = useMemo(
    () => columns.map((column, index) => definitionOf<Row>(column, index === 0, serverSort?.columns)),
    [columns, serverSort?.columns],
  )
  const table = useTable<typeof features, Row>({
    features,
    data: found,
    columns: definitions,
    getRowId: (row) => String(rowKey(row)),
    state: {
      sorting: sort ? [{ id: sort.column, desc: sort.descending }] : [],
      columnVisibility: Object.fromEntries(view.hidden.map((hidden) => [hidden, false])),
    },
    manualSorting: serverSort !== undefined,
    sortDescFirst: false,
    enableMultiSort: false,
    enableRowSelection: selection?.canSelect ? (row) => selection.canSelect!(row.original) : selection !== undefined,
    onSortingChange: (updater: Updater<SortingState>) => {
      const [first] = typeof updater === 'function' ? updater(table.state.sorting) : updater
      setSort(first ? { column: first.id, descending: first.desc } : null)
    },
  })

  const ordered = table.getRowModel().rows
  const shown = new Set(table.getVisibleLeafColumns().map((column) => column.id))
  const drawn: Column<Row>[] = columns
    .filter((column) => shown.has(column.id))
    .map((column) => ({ ...column, sort: table.getColumn(column.id)?.getCanSort() ? () => null : undefined }))
  const clear = () => table.resetRowSelection(true)
  const byKey = new Map(ordered.map((row) => [row.id, row]))
  const selected = ordered.filter((row) => row.getIsSelected()).map((row) => row.original)
  if (selection && ordered.some((row) => row.getCanSelect())) {
    drawn.unshift({
      id: 'select',
      header: 'Select',
      head: (
        <RowCheckbox
          label={`Select all ${rest.label.toLowerCase()} shown`}
          checked={table.getIsAllRowsSelected()}
          mixed={selected.length > 0}
          onToggle={table.getToggleAllRowsSelectedHandler()}
          onClear={clear}
        />
      ),
      className: 'w-9 @max-list:hidden',
      cell: (original) => {
        const row = byKey.get(String(rowKey(original)))
        return row?.getCanSelect() ? (
          <RowCheckbox
            label={`Select ${selection.nameOf(original)}`}
            checked={row.getIsSelected()}
            onToggle={row.getToggleSelectedHandler()}
            onClear={clear}
          />
        ) : null
      },
    })
  }

  const exported = drawn.some(({ csv }) => csv)
  const save = (rows: readonly Row[]) =>
    void import('./export-rows.ts').then(({ saveRows }) => saveRows(rest.label, drawn, rows))
  const choices = columns.slice(1).filter((column) => !column.hiddenHeader)
  // Above a short list without a filter the menu would be alone. It stays where it can show hidden columns again.
  const isLong = rows.length >= FILTER_FROM || rest.onFilter !== undefined || rest.tools !== undefined
  const isChanged = view.compact || view.hidden.length > 0
  return (
    <>
      <DataTable
        {...rest}
        columns={drawn}
        rows={ordered.map((row) => row.original)}
        rowKey={rowKey}
        sort={sort}
        onSort={(column) => table.getColumn(column)?.toggleSorting()}
        className={view.compact ? COMPACT : undefined}
        {...(filtersHere && { onFilter: setText, total: rows.length, answered: wanted === text })}
        tools={
          (isLong || isChanged) && (
            <>
              {rest.tools}
              <span className={cx('max-md:hidden', !rest.tools && 'ml-auto')}>
                <Menu
                  label={`View of ${rest.label}: columns and density`}
                  text="View"
                  entries={[
                    ...choices.map((column) => ({
                      label: column.header,
                      checked: shown.has(column.id),
                      onSelect: () => setView({ ...view, hidden: toggle(view.hidden, column.id) }),
                    })),
                    {
                      label: 'Compact rows',
                      apart: true,
                      checked: view.compact,
                      onSelect: () => setView({ ...view, compact: !view.compact }),
                    },
                    ...(exported && ordered.length > 0
                      ? [
                          {
                            label: exportLabel(selected.length, ordered.length),
                            icon: 'download',
                            apart: true,
                            changes: false,
                            onSelect: () => save(selected.length > 0 ? selected : ordered.map((row) => row.original)),
                          } as const,
                        ]
                      : []),
                  ]}
                />
              </span>
            </>
          )
        }
      />
      {selection && (
        <SelectionBar count={selected.length} onClear={clear}>
          {selected.length > 0 && selection.actions?.(selected, clear)}
          {exported && (
            <Button icon="download" changes={false} onClick={() => save(selected)}>
              Export CSV
            </Button>
          )}
        </SelectionBar>
      )}
    </>
  )
}

function definitionOf<Row extends RowData>(
  column: Column<Row>,
  isName: boolean,
  sortedBy: readonly string[] | undefined,
): ColumnDef<typeof features, Row> {
  return {
    id: column.id,
    header: column.header,
    // Missing values sort last in either direction.
    accessorFn: (row) => column.sort?.(row) ?? undefined,
    sortUndefined: 'last',
    sortFn: (a, b, id) => compareValues(a.getValue(id), b.getValue(id), false),
    enableSorting: sortedBy ? sortedBy.includes(column.id) : column.sort !== undefined,
    enableHiding: !isName,
  }
}

/** Labels the export: the selected rows, or without a selection all that are loaded. */
function exportLabel(selected: number, loaded: number): string {
  const count = selected || loaded
  return `Export ${grouped(count)} ${selected > 0 ? 'selected' : 'loaded'} ${count === 1 ? 'row' : 'rows'} as CSV`
}

const toggle = (ids: readonly string[], id: string): readonly string[] =>
  ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]
