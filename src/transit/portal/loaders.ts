import { blackholes, limitRequests } from './controls/api.ts'
import { queryClient } from '../../ui/live/query-client.ts'
import { routerList } from '../../routers/portal/api.ts'
import { loasOf, ownConnection, ownPrefix, ownPrefixes } from './api.ts'

/** Loads everything that the page shows, in parallel. */
export const loadTransit = () =>
  Promise.all([
    queryClient.ensureQueryData(ownConnection()),
    queryClient.ensureQueryData(ownPrefixes()),
    queryClient.ensureQueryData(blackholes()),
    queryClient.ensureQueryData(limitRequests()),
    queryClient.ensureQueryData(routerList()),
  ])

export const loadOwnPrefix = (id: number) =>
  Promise.all([queryClient.ensureQueryData(ownPrefix(id)), queryClient.ensureQueryData(loasOf(id))])

export const loadSession = () =>
  Promise.all([queryClient.ensureQueryData(ownConnection()), queryClient.ensureQueryData(limitRequests())])
