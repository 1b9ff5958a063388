/**
 * Maps the addresses of the built portal's screens to the files that each imports beside the entry. The page names
 * these files, so that a browser fetches them together with the entry. Otherwise it would discover them only from the
 * entry's code, and their imports later still.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

/** The parts of Vite's manifest that are read here. */
const chunk = z.object({ file: z.string(), imports: z.array(z.string()).default([]) })
const manifestShape = z.record(z.string(), chunk)
type Manifest = z.output<typeof manifestShape>

/** How the router's plugin names the separate chunk of a route: its component, with its loader. */
const SCREEN = /^(?:\.\.\/)*routes\/(.+)\.tsx\?tsr-split=component/
const SIGNED_IN = '_signed-in'

/** The values that route parameters accept. Any other parameter is the id of a row. */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  $family: /^[46]$/,
  $code: /^[0-9a-fA-F]{40}$/,
  $queue: /^[a-z_]+$/,
}
const ID = /^[1-9]\d*$/

/** Routes that only redirect to another screen have no component, so the manifest does not name them. */
const REDIRECTS: readonly (readonly string[])[] = [['admin', 'inventory', 'hypervisors', '$id']]

export interface PageFiles {
  /** Returns whether the portal has a screen at this address. */
  readonly isScreen: (pathname: string) => boolean
  /** Returns no files of a screen behind the sign-in without a session, because it redirects to the sign-in screen. */
  readonly of: (pathname: string, hasSession: boolean) => readonly string[]
}

/** Returns no files if there is no manifest. */
export async function readPageFiles(directory: string, page: string): Promise<PageFiles> {
  const text = await readFile(path.join(directory, '.vite', 'manifest.json'), 'utf8').catch(() => '{}')
  return pageFilesOf(manifestShape.parse(JSON.parse(text)), page)
}

/** Without the files that the page already names. */
export function pageFilesOf(manifest: Manifest, page: string): PageFiles {
  const routes = Object.keys(manifest).flatMap((key) => {
    const [, name] = SCREEN.exec(key) ?? []
    return name === undefined ? [] : [{ key, segments: name.split(/[/.]/) }]
  })
  // `new` before `$id`: fixed segments come before parameters.
  const sorted = routes.toSorted((one, other) => placeholders(one.segments) - placeholders(other.segments))
  const screens = sorted
    .filter(({ segments }) => !segments.at(-1)!.startsWith('_'))
    .map(({ key, segments }) => {
      const layouts = routes.filter((other) => other.segments.every((segment, at) => segments[at] === segment))
      return {
        isOpen: segments[0] !== SIGNED_IN,
        parts: partsOf(segments),
        files: [...filesOf(manifest, [key, ...layouts.map((layout) => layout.key)])].filter(
          (file) => !page.includes(file),
        ),
      }
    })
  return {
    isScreen: (pathname) => {
      const asked = partsOfPath(pathname)
      return screens.some(({ parts }) => isAt(parts, asked)) || REDIRECTS.some((parts) => isAt(parts, asked))
    },
    of: (pathname, hasSession) => {
      const asked = partsOfPath(pathname)
      return screens.find(({ parts, isOpen }) => (isOpen || hasSession) && isAt(parts, asked))?.files ?? []
    },
  }
}

const partsOfPath = (pathname: string): readonly string[] => pathname.replace(/\/$/, '').split('/').slice(1)

const isAt = (parts: readonly string[], asked: readonly string[]): boolean =>
  parts.length === asked.length && parts.every((part, at) => isPart(part, asked[at]!))

const isPart = (part: string, asked: string): boolean =>
  part.startsWith('$') ? (PARAMETERS[part] ?? ID).test(asked) : part === asked

const placeholders = (segments: readonly string[]): number => segments.filter((one) => one.startsWith('$')).length

/** `_signed-in`, `_verified`, `transit_`, `sessions`, `$family`: the file naming of the router's manual. */
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
