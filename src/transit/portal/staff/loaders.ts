/** Loads what the staff pages need before they render, when the pointer approaches the link. */
import { queryClient } from '../../../ui/live/query-client.ts'
import { edges, loasOfPrefix, maintenanceWindows, prefixPolicy, prefixWithOwner } from './api.ts'
import { load } from '../../../ui/graphql/client.ts'
import { PrefixCounts, PrefixDetail, PrefixList } from './prefix-documents.ts'
import { readSort } from '../../../ui/table/sort-text.ts'
import { PREFIX_SORT_COLUMNS, prefixListVariables } from './prefix-list-variables.ts'
import { knownId } from '../../../ui/staff/known-id.ts'
import { loadHypervisors, loadSites } from '../../../routers/portal/staff/loaders.ts'

export const loadPrefixes = (status: string | undefined, { search, sort }: { search?: string; sort?: string }) =>
  Promise.all([
    load(PrefixList, prefixListVariables(status, search, readSort(sort, PREFIX_SORT_COLUMNS))),
    load(PrefixCounts, {}),
  ])

export const loadPrefix = (id: number) =>
  Promise.all([
    queryClient.ensureQueryData(prefixWithOwner(knownId(id))),
    queryClient.ensureQueryData(loasOfPrefix(knownId(id))),
    load(PrefixDetail, { id: knownId(id) }),
  ])

export const loadPolicy = () => queryClient.ensureQueryData(prefixPolicy())

export const loadEdges = () => Promise.all([queryClient.ensureQueryData(edges()), loadSites()])

export const loadMaintenance = () =>
  Promise.all([queryClient.ensureQueryData(maintenanceWindows()), loadEdges(), loadHypervisors()])
