/**
 * Measures what a browser fetches before it shows a page: the entry, the chunks of the page's routes, and their static
 * imports. It must stay within a budget, and free of what only other pages need.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { failed, passed, type TestSummary } from './test-summary.ts'

const BUILT = path.join('dist', 'portal')

const manifestShape = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().optional(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
)
export type Manifest = z.output<typeof manifestShape>

const ENTRY = 'index.html'
const SPLIT = '?tsr-split=component---loader'
const SIGNED_IN = ['../../routes/_signed-in.tsx', '../../routes/_signed-in/_verified.tsx']

/**
 * kB (1,000 bytes) of scripts and styles together, each file compressed as the server sends it to a client that accepts
 * gzip. A page's routes, outermost first. Files fetched later, on demand or for another page, do not count. Neither
 * does the error service, which loads after the page and draws nothing. See docs/decisions/0012.
 */
export const BUDGETS = [
  { screen: '/login', routes: ['../../routes/login.tsx'], most: 124.2 },
  { screen: '/', routes: [...SIGNED_IN, '../../routes/_signed-in/_verified/index.tsx'], most: 142.6 },
] as const

/** Source paths, as source maps write them. */
const KEPT_APART = [
  { what: 'the staff’s screens', pattern: /\/src\/(\w+\/portal\/staff|admin\/portal|ui\/(staff|graphql))\// },
  { what: 'Apollo Client', pattern: /\/node_modules\/(@apollo\/client|graphql)\// },
  { what: 'the serial console (xterm)', pattern: /\/node_modules\/@xterm\// },
  { what: 'the display (noVNC)', pattern: /\/node_modules\/@novnc\// },
  { what: 'charts (uPlot)', pattern: /\/node_modules\/uplot\// },
] as const

/** Prints one line, and the problems below it. */
export async function checkFirstLoad(): Promise<TestSummary> {
  try {
    const manifest = await readManifest()
    const loads = await measureFirstLoads(manifest)
    const faults = [
      ...loads
        .filter(({ kilobytes, most }) => kilobytes > most)
        .map(({ screen, most }) => `${screen} may fetch ${most} kB: import what it shows later only then.`),
      ...(await findStowaways(manifest)).map((words) => `${words}; import it only where it is shown.`),
    ]
    const words = loads.map(({ screen, kilobytes, most }) => `${screen} ${kilobytes.toFixed(1)} of ${most} kB`)
    console.log(`${faults.length === 0 ? '✓' : '✗'} first load (${words.join(', ')})`)
    for (const fault of faults) console.log(fault)
    return faults.length === 0 ? passed(1) : failed('first load', faults.join('\n'))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    console.log(`✗ first load\n${why}`)
    return failed('first load', why)
  }
}

export interface FirstLoad {
  readonly screen: string
  readonly kilobytes: number
  readonly most: number
}

export const readManifest = async (): Promise<Manifest> =>
  manifestShape.parse(JSON.parse(await readFile(path.join(BUILT, '.vite', 'manifest.json'), 'utf8')))

/** Returns every file that is fetched with these chunks, without what is imported only later. */
export function filesOf(manifest: Manifest, chunks: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const files = new Set<string>()
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    const chunk = manifest[name]
    if (!chunk) throw new Error(`The build has no chunk ${name}.`)
    for (const file of [chunk.file, ...chunk.css]) files.add(file)
    for (const imported of chunk.imports) visit(imported)
  }
  for (const name of chunks) visit(name)
  return files
}

/** A layout that only guards has no chunk: it is part of the entry. */
export const chunksOf = (manifest: Manifest, routes: readonly string[]): string[] => [
  ENTRY,
  ...routes.map((route) => route + SPLIT).filter((name) => name in manifest),
]

export async function measureFirstLoads(manifest: Manifest): Promise<FirstLoad[]> {
  return Promise.all(
    BUDGETS.map(async ({ screen, routes, most }) => {
      const last = routes.at(-1)! + SPLIT
      if (!(last in manifest)) throw new Error(`The screen ${screen} has no chunk ${last}.`)
      const files = [...filesOf(manifest, chunksOf(manifest, routes))]
      const sizes = await Promise.all(
        files.map(async (file) => gzipSync(await readFile(path.join(BUILT, file)), { level: 9 }).length),
      )
      return { screen, most, kilobytes: sizes.reduce((sum, size) => sum + size, 0) / 1_000 }
    }),
  )
}

/** Describes what a page outside the staff area fetches although only others need it. */
export async function findStowaways(manifest: Manifest): Promise<string[]> {
  const screens = Object.keys(manifest).filter((name) => name.endsWith(SPLIT) && !name.includes('/admin'))
  const scripts = [...filesOf(manifest, [ENTRY, ...screens])].filter((file) => file.endsWith('.js'))
  const sources = (await Promise.all(scripts.map(readSourcesOf))).flat()
  if (sources.length === 0) throw new Error('The build has no source maps, so what is in it is unknown.')
  return sources.flatMap(({ source, file }) => {
    const kept = KEPT_APART.find(({ pattern }) => pattern.test(source))
    return kept ? [`${kept.what}: ${path.relative('.', source)} is in ${file}`] : []
  })
}

/** Empty for a chunk that only imports others. */
async function readSourcesOf(file: string): Promise<{ source: string; file: string }[]> {
  const text = await readFile(path.join(BUILT, file), 'utf8')
  if (!text.includes('//# sourceMappingURL=')) return []
  const map = z
    .object({ sources: z.array(z.string()) })
    .parse(JSON.parse(await readFile(path.join(BUILT, `${file}.map`), 'utf8')))
  return map.sources.map((source) => ({ source: path.resolve(BUILT, path.dirname(file), source), file }))
}
