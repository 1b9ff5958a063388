import type { AnyRouter } from '@tanstack/react-router'
import type { FileRouteTypes } from './route-tree.gen.ts'
import { session } from '../../ui/runtime/session.ts'

/** Where signing in leads to. */
const HOME: readonly FileRouteTypes['id'][] = ['/_signed-in', '/_signed-in/_verified/']
/** Where customers go from there. */
const NEXT: readonly FileRouteTypes['id'][] = [
  '/_signed-in/_verified/routers/$id/',
  '/_signed-in/_verified/transit',
  '/_signed-in/billing',
  '/_signed-in/settings',
]

/**
 * Fetches the code of the screens that come next once the present one is drawn: a press on a phone, where nothing is
 * hovered over first, then waits for data alone. It lasts through an outage too.
 */
export function fetchNextScreens(router: AnyRouter): void {
  let fetching = Promise.resolve()
  const fetchScreens = (ids: readonly string[]): void => {
    // One after another: what a press asks for meanwhile comes first. A chunk that fails is asked for again by its screen.
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
