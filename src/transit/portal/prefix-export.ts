/** Exports the customer's prefixes as a file. */
import { formatAsn } from '../../kernel/asn.ts'
import type { Column } from '../../ui/components/DataTable.tsx'
import { saveRows } from '../../ui/table/export-rows.ts'
import type { TransitPrefix } from '../contract.ts'
import { ANNOUNCEMENT_LABELS, CHECK_BADGE, STATUS_BADGE } from './prefix-labels.ts'

const column = (header: string, csv: Column<TransitPrefix>['csv']): Column<TransitPrefix> => ({
  id: header,
  header,
  csv,
  cell: () => null,
})

const COLUMNS: readonly Column<TransitPrefix>[] = [
  column('Prefix', ({ value }) => value),
  column('Status', ({ status }) => STATUS_BADGE[status].label),
  column('Announced', ({ announcementType }) => ANNOUNCEMENT_LABELS[announcementType].label),
  column('Origin ASN', ({ originAsn }) => originAsn && formatAsn(originAsn)),
  column('RPKI', ({ rpkiStatus }) => CHECK_BADGE[rpkiStatus].label),
  column('IRR', ({ irrStatus }) => CHECK_BADGE[irrStatus].label),
  column('Requested', ({ createdAt }) => createdAt),
]

export const savePrefixes = (prefixes: readonly TransitPrefix[]): void => saveRows('Prefixes', COLUMNS, prefixes)
