import type { AnyRoute } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { productName } from './page-settings.ts'

/** `Routers · Longhaul`: what a browser's tab, its history and a screen reader call a screen. */
export const pageTitle = (screen: string): string => `${screen} · ${productName}`

/** The `head` of a route whose title never changes. */
export const titled = (screen: string) => () => ({ meta: [{ title: pageTitle(screen) }] })

let ofRoute: string | undefined
/** Of the screen that is on its way: the address is its own already. */
let ofNext: string | undefined
const ofScreens: string[] = []

function writeTitle(): void {
  const title = ofNext ?? ofScreens.at(-1) ?? ofRoute
  if (title !== undefined) document.title = title
}

/** What the route is called. Written by hand: React's own <title> is no part of the build (docs/decisions/0012). */
export function useRouteTitle(title: string | undefined): void {
  useLayoutEffect(() => {
    ofRoute = title
    writeTitle()
  }, [title])
}

/** What a screen is called while its data are not there: its name without theirs. */
export function titleBefore(route: AnyRoute | undefined): string | undefined {
  const head: unknown = route?.options.head?.({} as never)
  const { meta } = (head ?? {}) as { meta?: readonly { title?: string }[] }
  return meta?.find((entry) => entry.title)?.title
}

/** From the click until the screen is there the title is that of the innermost of these routes. None: that of the screen. */
export function setNextTitle(routes: readonly AnyRoute[]): void {
  ofNext = routes.map(titleBefore).findLast((title) => title !== undefined)
  writeTitle()
}

/** For a screen that knows better than its route: the route's title speaks of a page that is not there, or of an earlier name. */
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
