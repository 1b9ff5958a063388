import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** What the server fills into the page it serves; a development server has no such step. */
const placeholders: Plugin = {
  name: 'fill-placeholders',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html
      .replaceAll('%PRODUCT_NAME%', 'Longhaul')
      .replaceAll('%RELEASE%', '')
      .replaceAll('%SUPPORT_EMAIL%', 'support@example.net'),
}

const api = process.env['API_URL'] ?? 'http://127.0.0.1:8080'
const proxied = { target: api, changeOrigin: false, ws: true }

/** Packages in node_modules by name, as alternatives of a pattern. */
const modules = (...names: string[]): RegExp => new RegExp(`/node_modules/(${names.join('|')})/`)
/** Modules of the portal by path below src/portal, without extension. */
const portal = (...paths: string[]): RegExp => new RegExp(`/src/portal/(${paths.join('|')})\\.tsx?$`)
const VENDOR_ROUTER = '@tanstack/(react-router|router-core|history|react-store|store)'
const FIRST = 'Button|Icon|Spinner|Toasts|button-look|class-names|tip'
const EVERYDAY =
  'Amount|Copyable|DataTable|EmptyState|Menu|PageHeader|PropertyTable|Skeleton|StageList|StatusBadge|TableFilter|Time|quantity|relative-time|table-rows'

export default defineConfig({
  root: 'src/portal',
  plugins: [
    // Before React's: it splits a route file before the components in it are transformed.
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // A screen's loader travels with the screen: guards are all that the first load needs to know.
      codeSplittingOptions: { defaultBehavior: [['loader', 'component']] },
      routesDirectory: 'routes',
      generatedRouteTree: 'route-tree.gen.ts',
      addExtensions: true,
      quoteStyle: 'single',
      semicolons: false,
      disableLogging: true,
    }),
    react(),
    tailwindcss(),
    placeholders,
  ],
  server: {
    port: 5173,
    proxy: { '/api': proxied, '/internal': proxied, '/mini-profiler-resources': proxied },
  },
  build: {
    outDir: '../../dist/portal',
    emptyOutDir: true,
    // Which chunk needs which: scripts/checks/first-load.ts adds up what a screen costs.
    manifest: true,
    sourcemap: true,
    // The policy allows scripts from our own origin alone: nothing may become a data: address.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A few files that change at their own pace; left alone, the first load would be two dozen of them.
          groups: [
            {
              name: 'vendor',
              test: modules('react|react-dom|scheduler|use-sync-external-store', VENDOR_ROUTER),
              priority: 9,
            },
            { name: 'query', test: modules('@tanstack/react-query|@tanstack/query-core'), priority: 9 },
            // What every screen starts with …
            {
              name: 'runtime',
              test: portal(
                '(?!palette|shortcuts|theme|error-service|Components|components-)[^/]+',
                'screens/.+',
                'routes/-.+',
                `ui/(${FIRST})`,
                'shell/Wordmark',
              ),
              priority: 5,
            },
            // … what the screens before the door share, and what those behind it do.
            { name: 'forms', test: portal('ui/(Form|form-state|Field|Callout)'), priority: 4 },
            {
              name: 'frame',
              test: portal('shell/(?!CommandPalette|KeysDialog|SupportDialog).+', 'live/.+', 'ui/(Dialog|Kbd)'),
              priority: 4,
            },
            { name: 'parts', test: portal(`ui/(${EVERYDAY})`), priority: 3 },
          ],
        },
      },
    },
  },
})
