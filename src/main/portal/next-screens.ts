import type { AnyRouter } from '@tanstack/react-router'
import type { FileRouteTypes } from './route-tree.gen.ts'
import { session } from '../../ui/runtime/session.ts'

/** The screens that open after signing in. */
const HOME: readonly FileRouteTypes['id'][] = ['/_signed-in', '/_signed-in/_verified/']
/** The screens that customers open from there. */
const NEXT: readonly FileRouteTypes['id'][] = [
  '/_signed-in/_verified/routers/$id/',
  '/_signed-in/_verified/transit',
  '/_signed-in/billing',
  '/_signed-in/settings',
]

/**
 * Fetches the code of the likely next screens once the present one is drawn. A tap on a phone, where nothing is hovered
 * first, then waits only for data. The code also survives an outage.
 */
export function fetchNextScreens(router: AnyRouter): void {
  let fetching = Promise.resolve()
  const fetchScreens = (ids: readonly string[]): void => {
    // One after another, so that a tap's own requests come first. If a chunk fails, its screen requests it again.
    for (const id of ids)
      fetching = fetching.then(() => router.loadRouteChunk(router.routesById[id])).catch(() => undefined)
  }
  let customer = false
  const onUser = (): void => {
    const user = session.current()
    if (customer || !user || user.asnVerifiedAt === null) return
    customer = true
    fetchScreens(NEXT)
  }
  const start = (): void => {
    fetchScreens(HOME)
    onUser()
    session.subscribe(onUser)
  }
  if (router.state.status === 'idle') return start()
  const stop = router.subscribe('onResolved', () => {
    stop()
    start()
  })
}
