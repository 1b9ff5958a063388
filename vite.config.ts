import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const ROOT = 'src/main/portal'

/**
 * What the build and the server do to the page: they replace the paths of files outside of its folder, and fill in the
 * settings.
 */
const developmentPage: Plugin = {
  name: 'development-page',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html
      .replaceAll(/(?<=href=")\.\.\/[^"]+/g, (file) => `/@fs${path.resolve(import.meta.dirname, ROOT, file)}`)
      .replaceAll('%PRODUCT_NAME%', 'Longhaul')
      .replaceAll('%RELEASE%', '')
      .replaceAll('%SUPPORT_EMAIL%', 'support@example.net'),
}

const api = process.env['API_URL'] ?? 'http://127.0.0.1:8080'
const proxied = { target: api, changeOrigin: false, ws: true }

/** Matches packages in node_modules by name, as alternatives of a pattern. */
const modules = (...names: string[]): RegExp => new RegExp(`/node_modules/(${names.join('|')})/`)
/** Matches our own modules by path below src, without extension. */
const own = (...paths: string[]): RegExp => new RegExp(`/src/(${paths.join('|')})\\.tsx?$`)
/** Modules that only staff fetch. */
const STAFF = /\/src\/(\w+\/portal\/staff|admin\/portal|ui\/(staff|graphql))\//
/** Without the part of its store that only tables use. */
const VENDOR_ROUTER = '@tanstack/(react-router|router-core|history|react-store|store(?!/dist/shallow))'
/** Parts of the query library that only paged lists and mutations need; they load with those. */
const LATER_QUERIES = 'infiniteQueryObserver|mutationObserver|queriesObserver|useInfiniteQuery|useMutation|useQueries'

export default defineConfig({
  root: ROOT,
  plugins: [
    // Before React's: it splits a route file before its components are transformed.
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // A page's loader is in the page's chunk: the first load only needs guards.
      codeSplittingOptions: { defaultBehavior: [['loader', 'component']] },
      routesDirectory: '../../routes',
      generatedRouteTree: 'route-tree.gen.ts',
      addExtensions: true,
      quoteStyle: 'single',
      semicolons: false,
      disableLogging: true,
    }),
    react(),
    tailwindcss(),
    developmentPage,
  ],
  server: {
    port: 5173,
    proxy: { '/api': proxied, '/internal': proxied, '/mini-profiler-resources': proxied },
  },
  build: {
    outDir: '../../../dist/portal',
    emptyOutDir: true,
    // The chunks' dependencies: scripts/checks/first-load.ts adds up the cost of a page from them.
    manifest: true,
    sourcemap: true,
    // The list of each page's imports would be in the first load. The next pages are fetched before a press instead
    // (next-screens.ts).
    modulePreload: false,
    // The oldest browsers with light-dark(): for older ones each color would be written twice.
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    // The policy only allows scripts from our own origin: nothing may become a data: address.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ moduleIds }) =>
          moduleIds.some((id) => STAFF.test(id)) ? 'assets/staff/[name]-[hash].js' : 'assets/[name]-[hash].js',
        codeSplitting: {
          // A few files that change at different rates; by default, the first load would be two dozen of them.
          groups: [
            {
              name: 'vendor',
              test: modules('react|react-dom|scheduler|use-sync-external-store', VENDOR_ROUTER),
              priority: 9,
            },
            {
              name: 'query',
              test: modules(`@tanstack/(react-query|query-core)/build/modern(?!/(${LATER_QUERIES})\\.)`),
              priority: 9,
            },
            // What every page starts with …
            {
              name: 'runtime',
              test: own(
                'ui/runtime/(impersonation|client|unshown-reads|error-catalogue|explain-failure|guards|http-failure|notifications|page-settings|report-error|return-path|session|title|transport|uncaught)',
                'main/portal/(main|route-tree.gen|router)',
                'ui/screens/(ApplicationErrorPage|MessageScreen|NotFoundPage|PendingScreen|RouteError)',
                'routes/(-integer-id|-defer-search-parsing|-token-search)',
                'observability/portal/named-requests',
                'ui/components/(Button|Icon|Spinner|button-variants|class-names|tip)',
                'ui/shell/Wordmark',
              ),
              priority: 5,
            },
            // … what the signed-out pages share, and what the signed-in pages share.
            {
              name: 'doors',
              test: own(
                'ui/components/(Form|form-state|Field|Callout)',
                'accounts/portal/(AccountFrame|EmailField|PasswordField|SubmitButton)',
                'accounts/policy',
              ),
              priority: 4,
            },
            {
              name: 'frame',
              test: own(
                'ui/runtime/(shortcuts|theme)',
                'observability/portal/(StaffBar|bar-shown|use-bar-keys)',
                'accounts/portal/AccountNotices',
                'ui/shell/(?!CommandPalette|KeysDialog|SupportDialog|PhoneMenu|frame-items|use-palette-search).+',
                'ui/live/(?!settle-all).+',
              ),
              priority: 4,
            },
            {
              name: 'lists',
              test: own(
                'ui/components/(Copyable|DataTable|Kbd|PageHeader|StatusBadge|Time|quantity|relative-time|table-rows|use-row-keys)',
                'routers/(address-of|states)',
                'ui/runtime/payment-demand',
                'routers/portal/(HostAddress|RouterStateBadge|api|loaders|plan-size|router-state-variants)',
              ),
              priority: 3,
            },
            {
              name: 'parts',
              test: own(
                'ui/components/(Amount|CodeBlock|Crumbs|Dialog|DownloadLink|EmptyState|FormFooter|Menu|OneTimeSecret|PropertyTable|Skeleton|StageList|Stat|actions-column|choices|filter-variants|local-time)',
              ),
              priority: 3,
            },
            // What the pages of a topic share. Each file alone would be one more name in the list that the entry
            // contains.
            {
              name: 'router',
              test: own(
                'routers/portal/(BillingLink|PowerActions|PowerConfirm|RestoreOwnRouter|RestoreRouter|RouterDetails|RouterHeader|configuration-variants|deleted-router|router-labels|use-console-error|use-power)',
              ),
              priority: 3,
            },
            {
              name: 'transit',
              test: own(
                'kernel/(bgp-errors|prefix)',
                'routers/portal/(LostSessions|SessionTable|session-labels)',
                'transit/(states|maintenance/policy)',
                'transit/portal/(OwnTopology|PrefixDetail|ProveSpace|Records|RemediationList|ReverseDnsRecords|RouterSelect|SessionHistory|StageTodo|TopologyPicture|WithdrawPrefix|api|controls/api|loaders|maintenance/[^/]+|outages|prefix-labels|prefix-stages|topology-hops|use-check|use-recheck)',
              ),
              priority: 3,
            },
            {
              name: 'bill',
              test: own(
                'kernel/money',
                'billing/line-dates',
                'billing/portal/(InvoiceBody|InvoiceDialog|Money|PayInvoice|api|billing-labels|card-labels|confirm-payment|loaders|stripe-script)',
              ),
              priority: 3,
            },
          ],
        },
      },
    },
  },
})
