/** The staff's calls outside GraphQL, each with the nouns whose news make its answer old. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Noun } from '../../kernel/news.ts'
import type { AccountsApi } from '../../accounts/contract.ts'
import { createClient } from '../../portal/client.ts'
import type { RouterFilter, RoutersApi } from '../../routers/contract.ts'
import type { StockApi } from '../../routers/stock/contract.ts'
import type { TransitApi } from '../../transit/contract.ts'
import type { QueuesApi } from '../queues/contract.ts'
import type { QueueName } from '../queues/names.ts'
import type { SearchApi } from '../search/contract.ts'
import type { TextsApi } from '../texts/contract.ts'

type StaffApi = Pick<
  AccountsApi,
  | 'GET /api/admin/users/{id}/asn_verifications/new'
  | 'POST /api/admin/users/{id}/asn_verifications'
  | 'POST /api/admin/users/{id}/acting'
  | 'GET /api/admin/staff'
  | 'POST /api/admin/staff'
  | 'PUT /api/admin/staff/{id}'
  | 'DELETE /api/admin/staff/{id}'
> &
  Pick<
    TransitApi,
    | 'GET /api/admin/transit_prefixes/{id}'
    | 'POST /api/admin/transit_prefixes/{id}/approve'
    | 'POST /api/admin/transit_prefixes/{id}/reject'
    | 'POST /api/admin/transit_prefixes/{id}/suspend'
  > &
  Pick<
    RoutersApi,
    | 'GET /api/admin/virtual_machines/{id}'
    | 'GET /api/admin/virtual_machines'
    | 'POST /api/admin/virtual_machines/{id}/restore'
    | 'POST /api/admin/virtual_machines/{id}/retry'
  > &
  StockApi &
  Pick<
    TransitApi,
    'GET /api/admin/edges' | 'POST /api/admin/edges' | 'PATCH /api/admin/edges/{id}' | 'DELETE /api/admin/edges/{id}'
  > &
  QueuesApi &
  Omit<TextsApi, 'GET /api/notice'> &
  SearchApi

export const staff = createClient<StaffApi>({
  news: {
    'GET /api/admin/users/{id}/asn_verifications/new': ['user', 'connection'],
    'GET /api/admin/staff': ['user'],
    'GET /api/admin/transit_prefixes/{id}': ['prefix', 'connection', 'session', 'router', 'user'],
    'GET /api/admin/virtual_machines/{id}': ['router', 'connection', 'session'],
    'GET /api/admin/sites': ['site', 'pool', 'hypervisor', 'router'],
    'GET /api/admin/hypervisors': ['hypervisor', 'pool', 'site', 'router'],
    'GET /api/admin/hypervisors/{id}/drain': ['hypervisor', 'router'],
    'GET /api/admin/address_pools': ['pool', 'site', 'router'],
    'GET /api/admin/address_pools/{id}/addresses': ['router'],
    'GET /api/admin/images': ['image', 'router'],
    'GET /api/admin/edges': ['edge', 'session', 'site', 'connection'],
    'GET /api/admin/virtual_machines': ['router', 'hypervisor', 'site'],
    'GET /api/admin/queues/{queue}': ['prefix', 'user', 'connection', 'router', 'invoice', 'mail'],
    'GET /api/admin/texts': ['notice'],
  },
})

export const staffMembers = () => staff.query['GET /api/admin/staff']()
export const prefixWithOwner = (id: number) => staff.query['GET /api/admin/transit_prefixes/{id}']({ params: { id } })
export const routerWithOwner = (id: number) => staff.query['GET /api/admin/virtual_machines/{id}']({ params: { id } })
export const newAsnVerification = (id: number) =>
  staff.query['GET /api/admin/users/{id}/asn_verifications/new']({ params: { id } })
export const sites = () => staff.query['GET /api/admin/sites']()
export const hypervisors = () => staff.query['GET /api/admin/hypervisors']()
export const drainOf = (id: number) => staff.query['GET /api/admin/hypervisors/{id}/drain']({ params: { id } })
export const pools = () => staff.query['GET /api/admin/address_pools']()
export const images = () => staff.query['GET /api/admin/images']()
export const edges = () => staff.query['GET /api/admin/edges']()
export const texts = () => staff.query['GET /api/admin/texts']()
export const queues = () => staff.query['GET /api/admin/queues']()

/** Page after page by `next`; the key is that of the first. */
const pages = <Page extends { readonly next: number | null }>(
  ask: (from: number | undefined) => {
    readonly queryKey: readonly unknown[]
    readonly queryFn: (context: { signal: AbortSignal }) => Promise<Page>
    readonly meta: { readonly news: readonly Noun[] }
  },
) =>
  infiniteQueryOptions({
    queryKey: [...ask(undefined).queryKey, 'pages'],
    queryFn: ({ pageParam, signal }) => ask(pageParam).queryFn({ signal }),
    meta: ask(undefined).meta,
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }: Page) => next ?? undefined,
  })

const from = (name: 'before' | 'after', value: number | undefined) => (value === undefined ? {} : { [name]: value })

export const addressesOf = (id: number) =>
  pages((after) =>
    staff.query['GET /api/admin/address_pools/{id}/addresses']({ params: { id }, query: from('after', after) }),
  )
export const queueOf = (queue: QueueName) =>
  pages((before) => staff.query['GET /api/admin/queues/{queue}']({ params: { queue }, query: from('before', before) }))
export const routersFor = (filter: RouterFilter) =>
  pages((before) => staff.query['GET /api/admin/virtual_machines']({ query: { ...filter, ...from('before', before) } }))
