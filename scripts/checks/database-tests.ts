/** Finds the tests that need their own database by their imports, so that no list has to be kept. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const FIXTURE = 'src/platform/db/testing.ts'
const IMPORT = /\b(?:from|import)\s*\(?\s*'(?<name>\.[^']+\.ts)'/g

/** Imports are followed through fixtures only: the product, which is much longer, imports none. */
export const isFixture = (file: string): boolean => /\/(testing|conformance)|\/scenarios\//.test(file)

/** Paths from the root of the checkout. */
export function databaseTests(root: string): string[] {
  const seen = new Map<string, readonly string[]>()
  const fixturesOf = (file: string): readonly string[] => {
    const known = seen.get(file) ?? importsOf(root, file).filter(isFixture)
    seen.set(file, known)
    return known
  }
  return globSync('src/**/*.test.ts', { cwd: root }).filter((test) => {
    const reached = new Set([test])
    // Iterating a set also visits entries added in the meantime.
    for (const file of reached) for (const imported of fixturesOf(file)) reached.add(imported)
    return reached.has(FIXTURE)
  })
}

/** Returns imports of our own files, as paths from the root. Includes type imports, which load nothing. */
export function importsOf(root: string, file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  return [...text.matchAll(IMPORT)].map(({ groups }) => path.join(path.dirname(file), groups!['name']!))
}
