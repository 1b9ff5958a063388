/**
 * The built portal: hashed files for ever, the one page fresh each time with the product's name and release in it.
 * A path that is no screen of the portal answers the same page with status 404.
 */
import compress from '@fastify/compress'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { notFound } from '../../kernel/problem.ts'
import { sendProblem } from './problem-reply.ts'

export interface PortalOptions {
  /** Where the build is: `index.html` and `assets/`. */
  readonly directory: string
  readonly productName: string
  readonly release: string
  readonly supportEmail: string
}

const SCREENS = [
  /^\/(transit|billing|settings|login|signup|awaiting-verification)?\/?$/,
  /^\/routers\/(new|\d+)\/?$/,
  /^\/routers\/\d+\/(edit|display)\/?$/,
  /^\/password\/(reset|new)\/?$/,
  /^\/verify\/(email|asn)\/?$/,
  /^\/errors\/502\/?$/,
  /^\/admin\/?$/,
  /^\/admin\/(users|prefixes|hypervisors|audit|settings|catalogue)\/?$/,
  /^\/admin\/(users|prefixes|hypervisors|routers)\/\d+\/?$/,
  /^\/admin\/users\/\d+\/asn_verifications\/new\/?$/,
  /^\/dev\/components\/?$/,
]

/** Where a path that is nothing is an absent call or file, not a screen. */
const NO_SCREEN = /^\/(api|internal|assets|metrics|mini-profiler-resources)(\/|$)/
const YEAR_S = 31_536_000

export async function mountPortal(app: FastifyInstance, options: PortalOptions): Promise<void> {
  const assets = path.join(options.directory, 'assets')
  if (existsSync(assets)) {
    await app.register(compress, { global: false, encodings: ['br', 'gzip'] })
    await app.register(staticFiles, {
      root: assets,
      prefix: '/assets/',
      maxAge: YEAR_S * 1000,
      immutable: true,
      preCompressed: true,
      index: false,
    })
  }
  const page = await readPage(options)
  const sendPage = (reply: FastifyReply, status: number): FastifyReply =>
    reply.code(status).type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)

  app.get('/*', { config: { endpoint: 'portal' } }, (request, reply) => {
    const { pathname } = new URL(request.url, 'http://portal.invalid')
    if (page === null || NO_SCREEN.test(pathname)) return sendProblem(request, reply, notFound())
    return sendPage(reply, SCREENS.some((screen) => screen.test(pathname)) ? 200 : 404)
  })
}

async function readPage(options: PortalOptions): Promise<string | null> {
  const file = path.join(options.directory, 'index.html')
  if (!existsSync(file)) return null
  const values: Readonly<Record<string, string>> = {
    '%PRODUCT_NAME%': options.productName,
    '%RELEASE%': options.release,
    '%SUPPORT_EMAIL%': options.supportEmail,
  }
  const text = await readFile(file, 'utf8')
  return text.replaceAll(/%[A-Z_]+%/g, (name) => escapeHtml(values[name] ?? name))
}

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
