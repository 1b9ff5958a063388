/**
 * Two sheets of style: `first.css`, which the page names, for the modules of its `@source` lines, and `all.css`, which
 * every other module of the portal imports by this. A module is in the one or brings the other: no class is without style.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

const STYLES = path.resolve('src/portal/styles')
const SOURCE = /^@source (?<not>not )?'(?<glob>.+)';$/gm

export const twoSheets = (): Plugin => {
  const isFirst = readSources(path.join(STYLES, 'first.css'))
  const all = JSON.stringify(path.join(STYLES, 'all.css'))
  return {
    name: 'two-sheets',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/(?:[\w-]+\/)?portal\/.+\.tsx?(?:\?|$)/ },
      handler: (code, id) =>
        isFirst(id.replace(/\?.*/, '')) ? undefined : { code: `${code}\nimport ${all}\n`, map: null },
    },
  }
}

/** Whether a file is among those that a sheet names. */
export function readSources(sheet: string): (file: string) => boolean {
  const sources = [...readFileSync(sheet, 'utf8').matchAll(SOURCE)].map(({ groups }) => ({
    wanted: groups!['not'] === undefined,
    glob: path.join(path.dirname(sheet), groups!['glob']!),
  }))
  const named = (file: string, wanted: boolean): boolean =>
    sources.some((source) => source.wanted === wanted && path.matchesGlob(file, source.glob))
  return (file) => named(file, true) && !named(file, false)
}
