import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = path.join(import.meta.dirname, '..')

/** Returns everything that a module loads, directly or not: our files by their path below `src`, packages by name. */
async function loadedBy(file: string, seen = new Set<string>()): Promise<ReadonlySet<string>> {
  if (seen.has(path.relative(SOURCE, file))) return seen
  seen.add(path.relative(SOURCE, file))
  const text = await readFile(file, 'utf8')
  for (const [, clause = '', from = ''] of text.matchAll(/^(?:import|export)\s([^;'"]*?\sfrom\s+)?'([^']+)'/gms)) {
    if (clause.startsWith('type ')) continue
    if (from.startsWith('.')) await loadedBy(path.resolve(path.dirname(file), from), seen)
    else seen.add(from)
  }
  return seen
}

test('an agent loads no database, no account and nothing else of the portal', async () => {
  const loaded = [...(await loadedBy(path.join(SOURCE, 'agent/main.ts')))]
  expect(loaded).toContain('drivers/agent/serve.ts')
  expect(loaded).toContain('drivers/hypervisor/libvirt/index.ts')
  expect(loaded.filter((one) => /^(pg|kysely|fastify)|^platform\/(db|http|leases)/.test(one))).toEqual([])
  const slices = ['accounts', 'routers', 'transit', 'billing', 'webhooks', 'admin', 'observability', 'main', 'cli']
  expect(loaded.filter((one) => slices.some((slice) => one.startsWith(`${slice}/`)))).toEqual([])
  expect(loaded.filter((one) => one.startsWith('platform/')).toSorted()).toEqual([
    'platform/config.ts',
    'platform/data-dir.ts',
    'platform/installation.ts',
    'platform/log.ts',
    'platform/release.ts',
    'platform/settings.ts',
  ])
})
