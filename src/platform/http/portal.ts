/**
 * The built portal: hashed files are cached forever, and the page is fresh each time with the product's name and
 * release in it. A path that is not a screen returns the same page with status 404.
 */
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { notFound } from '../../kernel/problem.ts'
import { mountAssets } from './assets.ts'
import { readPageFiles, type PageFiles } from './page-files.ts'
import { sendProblem } from './problem-details.ts'

export interface PortalOptions {
  /** The folder of the build, with `index.html` and `assets/`. */
  readonly directory: string
  readonly productName: string
  readonly release: string
  /** The name of the session cookie. */
  readonly sessionCookie: string
  /** The operator's texts, read for each page. */
  readonly pageConfig: () => Promise<PageConfig>
}

export interface PageConfig {
  readonly supportEmail: string
  /** Empty where there is none. */
  readonly featureUrl: string
  readonly termsUrl: string
}

/** Prefixes under which an unknown path is a 404 and not a screen. */
const NO_SCREEN = /^\/(api|internal|assets|metrics|mini-profiler-resources)(\/|$)/

/** Public screens, whose guards do not load the user. */
const ASKS_NO_USER = /^\/(api-reference|password|verify|loa|errors)(\/|$)/
/**
 * Every other screen loads the user before anything else. After that the page sends a header that says for whom it
 * acts. A preload lacks that header but would still be used, so nothing else may be preloaded.
 */
const USER = '  <link rel="preload" as="fetch" crossorigin href="/api/user">\n'

export async function mountPortal(app: FastifyInstance, options: PortalOptions): Promise<void> {
  const { directory } = options
  if (existsSync(directory)) {
    mountAssets(app, path.join(directory, 'assets'))
    // The few files that keep their names: the icon, the theme before the first paint.
    await app.register(async (files) => {
      files.addHook('onRoute', (route) => {
        route.config = { ...route.config, endpoint: 'portal', unauthenticated: true }
      })
      await files.register(staticFiles, {
        preCompressed: true,
        index: false,
        root: directory,
        wildcard: false,
        globIgnore: ['assets/**', 'index.html', '**/.*', '**/*.{br,gz,map}'],
        maxAge: 0,
      })
    })
  }
  const readPage = pageReader(options)
  app.get('/*', { config: { endpoint: 'portal', unauthenticated: true } }, async (request, reply) => {
    // The raw URL: a URL parser would read `//host/login` as the login page of another host.
    const [pathname = ''] = request.url.split('?', 1)
    const hasSession = request.headers.cookie?.includes(`${options.sessionCookie}=`) ?? false
    const page = NO_SCREEN.test(pathname) ? null : await readPage(pathname, hasSession)
    if (page === null) return sendProblem(request, reply, notFound())
    return reply
      .code(page.isScreen ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'private, no-cache')
      .send(page.html)
  })
}

interface Page {
  readonly html: string
  readonly isScreen: boolean
}

/** Read again when a new build has replaced it: an old page names files that no longer exist. */
function pageReader(options: PortalOptions): (pathname: string, hasSession: boolean) => Promise<Page | null> {
  const file = path.join(options.directory, 'index.html')
  let known: { readonly mtimeMs: number; readonly text: string; readonly files: PageFiles } | undefined
  return async (pathname, hasSession) => {
    const found = await stat(file).catch(() => null)
    if (!found) return null
    if (known?.mtimeMs !== found.mtimeMs) {
      const text = await readFile(file, 'utf8')
      known = { mtimeMs: found.mtimeMs, text, files: await readPageFiles(options.directory, text) }
    }
    const { text, files } = known
    const preloads = files
      .of(pathname, hasSession)
      .map((name) => `  <link rel="modulepreload" crossorigin href="/${escapeHtml(name)}">\n`)
    const { supportEmail, featureUrl, termsUrl } = await options.pageConfig()
    const values: Readonly<Record<string, string>> = {
      '%PRODUCT_NAME%': options.productName,
      '%RELEASE%': options.release,
      '%SUPPORT_EMAIL%': supportEmail,
      '%FEATURE_URL%': featureUrl,
      '%TERMS_URL%': termsUrl,
    }
    const html = text
      .replaceAll(/%[A-Z_]+%/g, (name) => escapeHtml(values[name] ?? name))
      .replace('</head>', () => `${ASKS_NO_USER.test(pathname) ? '' : USER}${preloads.join('')}  </head>`)
    return { html, isScreen: files.isScreen(pathname) }
  }
}

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
