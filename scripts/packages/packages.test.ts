import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { faultsOf, readLockfile, type Package } from './lockfile.ts'
import { bomOf } from './sbom.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const lockfile = readLockfile()
const good: Package = {
  place: 'node_modules/good',
  name: 'good',
  version: '1.0.0',
  integrity: `sha512-${Buffer.alloc(64).toString('base64')}`,
  license: 'MIT',
}

test('every package of the lockfile has a SHA-512, a licence on the list, and no install script that is needed', () => {
  expect(lockfile.packages.length).toBeGreaterThan(400)
  expect(faultsOf(lockfile)).toEqual([])
})

test.each<[string, Partial<Package>, RegExp]>([
  ['without integrity', { integrity: undefined }, /no SHA-512/],
  ['with a weak digest', { integrity: 'sha1-aaaa' }, /no SHA-512/],
  ['from a repository', { resolved: 'git+ssh://git@example.net/a.git' }, /not come from a registry/],
  ['from an open connection', { resolved: 'http://example.net/a.tgz' }, /not come from a registry/],
  ['under another licence', { license: 'AGPL-3.0-only' }, /not on the list/],
  ['under no licence', { license: undefined }, /not stated/],
  ['with an install script', { hasInstallScript: true }, /install script/],
])('a package %s is a fault', (_, change, sentence) => {
  expect(faultsOf({ packages: [good] })).toEqual([])
  expect(faultsOf({ packages: [{ ...good, ...change } as Package] })[0]).toMatch(sentence)
})

test('npm runs no install script, and package.json names exact versions alone', () => {
  expect(readFileSync(path.join(ROOT, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }))
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
})

test('a licence that only the file of a package states is there', () => {
  expect(readFileSync(path.join(ROOT, 'node_modules/png-js/LICENSE'), 'utf8')).toMatch(/^MIT License/)
})

test('the bill of materials names every package with its digest, licence and address', () => {
  const bom = bomOf(lockfile, new Date('2026-01-01T00:00:00Z'))
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { name: 'longhaul' } },
  })
  expect(bom.components).toHaveLength(lockfile.packages.length)
  expect(new Set(bom.components.map((one) => one['bom-ref'])).size).toBe(bom.components.length)
  for (const { hashes, purl } of bom.components) {
    expect(hashes[0]!.content).toMatch(/^[0-9a-f]{128}$/)
    expect(purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/)
  }
  const fastify = bom.components.find(({ name, group }) => name === 'fastify' && group === undefined)
  expect(fastify).toMatchObject({ scope: 'required', licenses: [{ license: { id: 'MIT' } }] })
})

test('the command prints the bill of materials, and the licences', () => {
  const print = (...args: readonly string[]): string =>
    execFileSync(process.execPath, ['scripts/sbom.ts', ...args], { cwd: ROOT, encoding: 'utf8', maxBuffer: 16 << 20 })
  expect((JSON.parse(print()) as { components: unknown[] }).components).toHaveLength(lockfile.packages.length)
  expect(print('--licences')).toMatch(/^MIT\tfastify@\d/m)
})

test('SECURITY.md says how to report and how fast a fix comes', () => {
  expect(existsSync(path.join(ROOT, 'SECURITY.md'))).toBe(true)
  const text = readFileSync(path.join(ROOT, 'SECURITY.md'), 'utf8')
  expect(text).toMatch(/^## Reporting/m)
  expect(text).toMatch(/^## How fast/m)
})
