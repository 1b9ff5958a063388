import { useLayoutEffect } from 'react'
import { productName } from './page-settings.ts'

/** `Routers · Longhaul`: what a browser's tab, its history and a screen reader call a screen. */
export const pageTitle = (screen: string): string => `${screen} · ${productName}`

/** The `head` of a route whose title never changes. */
export const titled = (screen: string) => () => ({ meta: [{ title: pageTitle(screen) }] })

let ofRoute: string | undefined
const ofScreens: string[] = []

function writeTitle(): void {
  const title = ofScreens.at(-1) ?? ofRoute
  if (title !== undefined) document.title = title
}

/** What the route is called. Written by hand: React's own <title> is no part of the build (docs/decisions/0012). */
export function useRouteTitle(title: string | undefined): void {
  useLayoutEffect(() => {
    ofRoute = title
    writeTitle()
  }, [title])
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
