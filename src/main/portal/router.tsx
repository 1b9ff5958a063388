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
  // The cache of answers is react-query's alone: two caches would disagree about what is fresh.
  defaultPreloadStaleTime: 0,
  defaultStaleTime: 0,
  defaultGcTime: 0,
  // Most answers are there sooner; a shape that comes and goes in between would only flicker.
  defaultPendingMs: 150,
  defaultPendingMinMs: 300,
  // As the server reads them: `/LOGIN` is no address of ours.
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
