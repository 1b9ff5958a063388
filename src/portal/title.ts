import { productName } from './page-settings.ts'

/** `Routers · Longhaul`: what a browser's tab, its history and a screen reader call a screen. */
export const pageTitle = (screen: string): string => `${screen} · ${productName}`

/** The `head` of a route whose title never changes. */
export const titled = (screen: string) => () => ({ meta: [{ title: pageTitle(screen) }] })
