import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { routeTree } from './route-tree.gen.ts'
import { NotFoundScreen } from '../../ui/screens/NotFoundPage.tsx'
import { PendingScreen } from '../../ui/screens/PendingScreen.tsx'
import { RouteError } from '../../ui/screens/RouteError.tsx'
import { parseSearchValue } from '../../ui/runtime/search-parser.ts'

export const router = createRouter({
  routeTree,
  parseSearch: parseSearchWith(parseSearchValue),
  stringifySearch: stringifySearchWith(JSON.stringify, parseSearchValue),
  defaultPreload: 'intent',
  // Only react-query caches responses: two caches would disagree about what is fresh.
  defaultPreloadStaleTime: 0,
  defaultStaleTime: 0,
  defaultGcTime: 0,
  // Most responses arrive sooner; a placeholder shown that briefly would only flicker.
  defaultPendingMs: 150,
  defaultPendingMinMs: 300,
  // As on the server: `/LOGIN` is not one of our addresses.
  caseSensitive: true,
  trailingSlash: 'preserve',
  notFoundMode: 'root',
  scrollRestoration: true,
  defaultPendingComponent: PendingScreen,
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: NotFoundScreen,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
