import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { pageFilesOf } from './page-files.ts'
import { mountPortal } from './portal.ts'

const route = (name: string) => `../../routes/${name}.tsx?tsr-split=component---loader`
const chunk = (name: string, ...imports: string[]) => ({ file: `assets/${name}.js`, imports })
const files = pageFilesOf(
  {
    entry: chunk('entry'),
    frame: chunk('frame', 'entry'),
    lists: chunk('lists', 'frame'),
    [route('login')]: chunk('login', 'entry'),
    [route('_signed-in')]: chunk('signed-in', 'frame'),
    [route('_signed-in/_verified/index')]: chunk('home', 'lists'),
    [route('_signed-in/_verified/routers/$id.index')]: chunk('router', 'lists'),
    [route('_signed-in/_verified/routers/new')]: chunk('order', 'entry'),
    [route('_signed-in/_verified/transit')]: chunk('transit', 'entry'),
    [route('_signed-in/_verified/transit_.prefixes.$id')]: chunk('prefix', 'entry'),
    [route('_signed-in/admin')]: chunk('admin', 'entry'),
    [route('_signed-in/admin/users/index')]: chunk('users', 'entry'),
  },
  '<script src="/assets/entry.js"></script>',
)
const named = (pathname: string, hasSession = true) =>
  files
    .of(pathname, hasSession)
    .map((file) => file.replace(/^assets\/(.*)\.js$/, '$1'))
    .toSorted()

test.each([
  ['/login', ['login']],
  ['/', ['frame', 'home', 'lists', 'signed-in']],
  ['/routers/7', ['frame', 'lists', 'router', 'signed-in']],
  ['/routers/7/', ['frame', 'lists', 'router', 'signed-in']],
  ['/routers/new', ['frame', 'order', 'signed-in']],
  ['/transit/prefixes/7', ['frame', 'prefix', 'signed-in']],
  ['/admin/users', ['admin', 'frame', 'signed-in', 'users']],
  ['/nothing', []],
])(
  'the page at %s names the files of its screen and of what is around it, once, and none that it has',
  (address, expected) => {
    expect(named(address)).toEqual(expected)
  },
)

test('a visitor without a session gets the sign-in screen, and no file of the screen behind it is named', () => {
  expect(named('/', false)).toEqual([])
  expect(named('/login', false)).toEqual(['login'])
})

test('a page asks for its files and for the user in its head; one whose screen asks for no user does not', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'longhaul-page-files-'))
  const app = Fastify()
  try {
    await mkdir(path.join(directory, '.vite'))
    await writeFile(path.join(directory, 'index.html'), '<head></head>')
    await writeFile(
      path.join(directory, '.vite/manifest.json'),
      JSON.stringify({ [route('login')]: chunk('login'), [route('_signed-in/billing')]: chunk('billing') }),
    )
    await mountPortal(app, {
      directory,
      productName: 'Longhaul',
      release: 'test',
      sessionCookie: '__Host-session',
      pageConfig: async () => ({ supportEmail: '', featureUrl: '', termsUrl: '' }),
    })
    const linksOf = async (url: string, cookie = '') => {
      const { body } = await app.inject({ url, headers: { cookie } })
      return [...body.matchAll(/<link rel="(\w+)"[^>]* href="([^"]+)">(?=.*<\/head>)/gs)].map(
        ([, rel, to]) => `${rel} ${to}`,
      )
    }
    expect(await linksOf('/login')).toEqual(['preload /api/user', 'modulepreload /assets/login.js'])
    expect(await linksOf('/billing')).toEqual(['preload /api/user'])
    expect(await linksOf('/billing?x=1', 'a=b; __Host-session=s')).toEqual([
      'preload /api/user',
      'modulepreload /assets/billing.js',
    ])
    expect(await linksOf('/verify/email')).toEqual([])
  } finally {
    await app.close()
    await rm(directory, { recursive: true })
  }
})
