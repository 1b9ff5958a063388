import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { mountPortal } from '../../platform/http/portal.ts'

const tree = readFileSync(path.join(import.meta.dirname, 'route-tree.gen.ts'), 'utf8')
const [, listed = ''] = /interface FileRoutesByFullPath \{([^}]*)\}/.exec(tree) ?? []
const addresses = [...listed.matchAll(/'([^']+)':/g)].map(([, address]) => address!)

/** As Vite builds it: one chunk for each route with a component. */
const ROUTES = path.join(import.meta.dirname, '../../routes')
const manifest = Object.fromEntries(
  globSync('**/*.tsx', { cwd: ROUTES })
    .filter((file) => /\bcomponent: /.test(readFileSync(path.join(ROUTES, file), 'utf8')))
    .map((file) => [`../../routes/${file}?tsr-split=component---loader`, { file: `assets/${file}.js` }]),
)

test('answers 200 for the address of each screen, and 404 for one that no screen has', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'longhaul-screens-'))
  const app = Fastify()
  try {
    await writeFile(path.join(directory, 'index.html'), '<title>%PRODUCT_NAME%</title>')
    await mkdir(path.join(directory, '.vite'))
    await writeFile(path.join(directory, '.vite/manifest.json'), JSON.stringify(manifest))
    await mountPortal(app, {
      directory,
      productName: 'Longhaul',
      release: 'test',
      sessionCookie: 'session',
      pageConfig: async () => ({ supportEmail: '', featureUrl: '', termsUrl: '' }),
    })
    expect(addresses.length).toBeGreaterThan(40)
    for (const address of addresses) {
      const url = address
        .replace('$queue', 'prefixes')
        .replace('$family', '4')
        .replace('$code', 'a'.repeat(40))
        .replaceAll(/\$\w+/g, '7')
      expect.soft((await app.inject({ url })).statusCode, address).toBe(200)
    }
    const none = [
      '/admin/nothing',
      '/routers/0',
      '/routers/7x',
      '/transit/sessions/5',
      '/loa/7',
      '/_signed-in',
      '//login',
    ]
    for (const url of none) expect.soft((await app.inject({ url })).statusCode, url).toBe(404)
  } finally {
    await app.close()
    await rm(directory, { recursive: true })
  }
})
