/** Loads what the pages of routers need, while the pointer is still on its way to the link. */
import { queryClient } from '../../ui/live/query-client.ts'
import { catalogue, ownSshKeys, routerDetail, routerList } from './api.ts'

export async function loadRouters() {
  const routers = await queryClient.ensureQueryData(routerList())
  // With the list, so that nothing appears below the heading a moment later.
  if (routers.length === 0) await import('./NoRouters.tsx')
  return routers
}

export const loadRouter = (id: number) => queryClient.ensureQueryData(routerDetail(id))

export const loadOrder = () =>
  Promise.all([
    queryClient.ensureQueryData(catalogue()),
    queryClient.ensureQueryData(ownSshKeys()),
    queryClient.ensureQueryData(routerList()),
  ])

export async function loadRouterToEdit(id: number) {
  const [router] = await Promise.all([loadRouter(id), queryClient.ensureQueryData(catalogue())])
  return router
}
