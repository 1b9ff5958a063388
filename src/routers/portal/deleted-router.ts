import type { QueryClient } from '@tanstack/react-query'
import type { OwnRouter, Router } from '../contract.ts'
import { routerDetail, routerList } from './api.ts'

/** Shows what an answer says of a router at once, before the news of it arrive. */
export function cacheRouter(queries: QueryClient, router: Router): void {
  const { queryKey, queryFn } = routerDetail(router.id)
  const list = routerList().queryKey
  queries.setQueryData<Awaited<ReturnType<typeof queryFn>>>(queryKey, (known) => known && { ...known, ...router })
  queries.setQueryData<readonly OwnRouter[]>(list, (known) =>
    known?.map((one) => (one.id === router.id ? { ...one, ...router } : one)),
  )
  // Writing marks the rest of what is cached as fresh, which nobody has looked at.
  void queries.invalidateQueries({ queryKey })
  void queries.invalidateQueries({ queryKey: list })
}
