import type { AnyRoute } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { productName } from './page-settings.ts'

/** `Routers · Longhaul`: the title in the browser's tab, its history and a screen reader. */
export const pageTitle = (screen: string): string => `${screen} · ${productName}`

/** The `head` of a route whose title never changes. */
export const titled = (screen: string) => () => ({ meta: [{ title: pageTitle(screen) }] })

let ofRoute: string | undefined
/** The title of the next page: the address is already its own. */
let ofNext: string | undefined
const ofScreens: string[] = []

function writeTitle(): void {
  const title = ofNext ?? ofScreens.at(-1) ?? ofRoute
  if (title !== undefined) document.title = title
}

/** Sets the route's title. Written by hand: React's <title> is not part of the build (docs/decisions/0012). */
export function useRouteTitle(title: string | undefined): void {
  useLayoutEffect(() => {
    ofRoute = title
    writeTitle()
  }, [title])
}

/** Returns the title of a page whose data are not loaded: its name without theirs. */
export function titleBefore(route: AnyRoute | undefined): string | undefined {
  const head: unknown = route?.options.head?.({} as never)
  const { meta } = (head ?? {}) as { meta?: readonly { title?: string }[] }
  return meta?.find((entry) => entry.title)?.title
}

/**
 * From the click until the page is drawn, uses the title of the innermost of these routes; with none, the page's own.
 */
export function setNextTitle(routes: readonly AnyRoute[]): void {
  ofNext = routes.map(titleBefore).findLast((title) => title !== undefined)
  writeTitle()
}

/** For a page that knows better than its route, whose title names a page that does not exist, or an earlier name. */
export function useScreenTitle(screen: string): void {
  useLayoutEffect(() => {
    const title = pageTitle(screen)
    ofScreens.push(title)
    writeTitle()
    return () => {
      ofScreens.splice(ofScreens.lastIndexOf(title), 1)
      writeTitle()
    }
  }, [screen])
}
