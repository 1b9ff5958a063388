import type { QueryClient } from '@tanstack/react-query'
import type { OwnRouter, Router } from '../contract.ts'
import { routerDetail, routerList } from './api.ts'

/** Shows the router from a response at once, before its change event arrives. */
export function cacheRouter(queries: QueryClient, router: Router): void {
  const { queryKey, queryFn } = routerDetail(router.id)
  const list = routerList().queryKey
  queries.setQueryData<Awaited<ReturnType<typeof queryFn>>>(queryKey, (known) => known && { ...known, ...router })
  queries.setQueryData<readonly OwnRouter[]>(list, (known) =>
    known?.map((one) => (one.id === router.id ? { ...one, ...router } : one)),
  )
  // Writing marks the rest of the cached entry as fresh, although nobody has read it again.
  void queries.invalidateQueries({ queryKey })
  void queries.invalidateQueries({ queryKey: list })
}
