/** What the staff's screens need before they are drawn: read while the pointer is still on its way to the link. */
import { notFound } from '@tanstack/react-router'
import { queryClient } from '../../portal/live/query-client.ts'
import type { QueueName } from '../queues/names.ts'
import {
  drainOf,
  edges,
  hypervisors,
  images,
  newAsnVerification,
  pools,
  prefixWithOwner,
  queueOf,
  queues,
  routersFor,
  routerWithOwner,
  sites,
  staffMembers,
  texts,
} from './api.ts'
import { load } from './apollo/client.ts'
import { verification } from './audit/api.ts'
import { Dashboard } from './documents/dashboard.ts'
import { HypervisorDetail } from './documents/hypervisor.ts'
import { PrefixCounts, PrefixDetail, PrefixList } from './documents/prefixes.ts'
import { UserDetail, UserList } from './documents/users.ts'
import { startOfYesterday } from './person.ts'
import { prefixListVariables, userListVariables, type UserType } from './list-variables.ts'
import { QUEUE_WORDS } from './queues/queue-words.ts'
import { readState, type RouterSearch } from './routers/router-search.ts'
import { system } from './system.ts'

/** Ids are 32-bit on the border; a larger one in an address names nothing. */
const MAX_ID = 2_147_483_647

/** Never fails: a screen without the notice is better than none. */
export const loadSystem = () => queryClient.prefetchQuery(system())

export const loadAudit = () => queryClient.ensureQueryData(verification())

export const loadStaff = () => queryClient.ensureQueryData(staffMembers())

export const loadDashboard = () =>
  Promise.all([load(Dashboard, { since: startOfYesterday() }), queryClient.ensureQueryData(queues())])

export const loadUsers = (type: UserType | undefined, search?: string) =>
  load(UserList, userListVariables(type, search))

export async function loadUser(id: number) {
  const { user } = await load(UserDetail, { id: known(id) })
  if (!user) throw notFound()
}

export const loadPrefixes = (status: string | undefined, search?: string) =>
  Promise.all([load(PrefixList, prefixListVariables(status, search)), load(PrefixCounts, {})])

export const loadPrefix = (id: number) =>
  Promise.all([queryClient.ensureQueryData(prefixWithOwner(known(id))), load(PrefixDetail, { id: known(id) })])

export async function loadHypervisor(id: number) {
  const { hypervisor } = await load(HypervisorDetail, { id: known(id) })
  if (!hypervisor) throw notFound()
}

export const loadRouter = (id: number) => queryClient.ensureQueryData(routerWithOwner(known(id)))

export const loadNewAsnVerification = (id: number) => queryClient.ensureQueryData(newAsnVerification(known(id)))

export const loadSites = () => queryClient.ensureQueryData(sites())
export const loadHypervisors = () => Promise.all([queryClient.ensureQueryData(hypervisors()), loadSites()])
export const loadDrain = (id: number) => queryClient.ensureQueryData(drainOf(known(id)))
export const loadPools = () => Promise.all([queryClient.ensureQueryData(pools()), loadSites()])
export const loadImages = () => queryClient.ensureQueryData(images())
export const loadEdges = () => Promise.all([queryClient.ensureQueryData(edges()), loadSites()])
export const loadTexts = () => queryClient.ensureQueryData(texts())

/** Also what it is called: its words are not fetched before it is looked at. */
export async function loadQueue(queue: QueueName): Promise<{ label: string }> {
  await queryClient.ensureInfiniteQueryData(queueOf(queue))
  return { label: QUEUE_WORDS[queue].label }
}

export function loadRouters({ state, site, hypervisor, search }: RouterSearch) {
  const wanted = readState(state)
  return queryClient.ensureInfiniteQueryData(
    routersFor({
      ...(wanted && { state: wanted }),
      ...(site && { site }),
      ...(hypervisor && { hypervisor }),
      ...(search && { search }),
    }),
  )
}

function known(id: number): number {
  if (id > MAX_ID) throw notFound()
  return id
}
