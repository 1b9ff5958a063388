/** React for a portal that only renders in the browser: as modules, and without what `react-dom-subset.ts` rules out. */
import path from 'node:path'
import type { Plugin } from 'vite'
import { foldFacts, type Node } from './fold.ts'
import { ABSENT, FACTS } from './react-dom-subset.ts'
import { toEsm } from './to-esm.ts'

const PACKAGES = '(react|react-dom|scheduler|use-sync-external-store)'
/** What packages import … */
const FRONT = new RegExp(`/node_modules/${PACKAGES}/((shim/)?[\\w-]+)\\.js$`)
/** … and what that leads to. */
const INNER = new RegExp(`/node_modules/${PACKAGES}/cjs/.+\\.production\\.js$`)

export const leanReact: Plugin = {
  name: 'lean-react',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: [FRONT, INNER] },
    handler(code, id) {
      // React has had it itself since version 18.
      if (id.endsWith('/shim/index.js')) return asModule(`export { useSyncExternalStore } from 'react'`)
      if (FRONT.test(id)) {
        const inner = /require\('(.+?\.production\.js)'\)/.exec(code)?.[1]
        if (inner === undefined) return this.error(`${id} is not what it was: it names no file for production.`)
        return asModule(`export * from '${inner}'; export * as default from '${inner}'`)
      }
      const folded = id.endsWith('/react-dom-client.production.js')
        ? foldFacts(code, this.parse(code) as unknown as Node, FACTS)
        : code
      return asModule(toEsm(folded, this.parse(folded) as unknown as Node, ABSENT[path.basename(id, '.production.js')]))
    },
  },
}

/** With a map that says of each line that it is where it was. */
const asModule = (code: string): { code: string; map: { mappings: string } } => ({
  code,
  map: { mappings: `AAAA${';AACA'.repeat(code.split('\n').length - 1)}` },
})
