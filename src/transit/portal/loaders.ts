import { queryClient } from '../../ui/live/query-client.ts'
import { routerList } from '../../routers/portal/api.ts'
import { ownConnection, ownPrefixes } from './api.ts'

/** All that the screen shows, asked for side by side. */
export const loadTransit = () =>
  Promise.all([
    queryClient.ensureQueryData(ownConnection()),
    queryClient.ensureQueryData(ownPrefixes()),
    queryClient.ensureQueryData(routerList()),
  ])
