/**
 * The files that a screen imports beside the entry. The page names them, so that a browser fetches them while it fetches
 * the entry: it would learn of them only from the entry's own code, and of what they import in turn from theirs.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

/** Of Vite's manifest, what is read here. */
const chunk = z.object({ file: z.string(), imports: z.array(z.string()).default([]) })
const manifestShape = z.record(z.string(), chunk)
type Manifest = z.output<typeof manifestShape>

/** How the router's plugin names the part of a route that is split off: its component, with its loader. */
const SCREEN = /^(?:\.\.\/)*routes\/(.+)\.tsx\?tsr-split=component/
const SIGNED_IN = '_signed-in'

export interface PageFiles {
  /** Of a screen behind the sign-in nothing for who brings no session: it leads to the sign-in screen. */
  readonly of: (pathname: string, hasSession: boolean) => readonly string[]
}

/** None where there is no manifest: a browser then fetches one after the other. */
export async function readPageFiles(directory: string, page: string): Promise<PageFiles> {
  const text = await readFile(path.join(directory, '.vite', 'manifest.json'), 'utf8').catch(() => '{}')
  return pageFilesOf(manifestShape.parse(JSON.parse(text)), page)
}

/** Without what the page names itself. */
export function pageFilesOf(manifest: Manifest, page: string): PageFiles {
  const routes = Object.keys(manifest).flatMap((key) => {
    const [, name] = SCREEN.exec(key) ?? []
    return name === undefined ? [] : [{ key, segments: name.split(/[/.]/) }]
  })
  // `new` before `$id`: what is named comes before what may be anything.
  const sorted = routes.toSorted((one, other) => placeholders(one.segments) - placeholders(other.segments))
  const screens = sorted.map(({ key, segments }) => {
    const layouts = routes.filter((other) => other.segments.every((segment, at) => segments[at] === segment))
    return {
      isOpen: segments[0] !== SIGNED_IN,
      isScreen: !segments.at(-1)!.startsWith('_'),
      parts: partsOf(segments),
      files: [...filesOf(manifest, [key, ...layouts.map((layout) => layout.key)])].filter(
        (file) => !page.includes(file),
      ),
    }
  })
  return {
    of: (pathname, hasSession) => {
      const asked = pathname.replace(/\/$/, '').split('/').slice(1)
      const screen = screens.find(
        ({ parts, isOpen, isScreen }) => isScreen && (isOpen || hasSession) && isAt(parts, asked),
      )
      return screen?.files ?? []
    },
  }
}

const isAt = (parts: readonly string[], asked: readonly string[]): boolean =>
  parts.length === asked.length && parts.every((part, at) => part.startsWith('$') || part === asked[at])

const placeholders = (segments: readonly string[]): number => segments.filter((one) => one.startsWith('$')).length

/** `_signed-in`, `_verified`, `transit_`, `sessions`, `$family`: the names of the router's files, as its manual has them. */
const partsOf = (segments: readonly string[]): readonly string[] =>
  segments
    .filter((segment) => !segment.startsWith('_') && segment !== 'index')
    .map((segment) => segment.replace(/_$/, ''))

function filesOf(manifest: Manifest, keys: readonly string[], files = new Set<string>()): Set<string> {
  for (const key of keys) {
    const found = manifest[key]
    if (!found || files.has(found.file)) continue
    files.add(found.file)
    filesOf(manifest, found.imports, files)
  }
  return files
}
