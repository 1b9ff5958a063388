import { expect, it } from 'vitest'
import { parsePrefix } from '../../kernel/prefix.ts'
import { buildIndex } from './build.ts'
import { VrpCollector } from './vrp-columns.ts'
import { VrpIndex } from './vrp-index.ts'

it('builds the same index beside the main thread as on it, without holding the main thread up', async () => {
  const v4 = new VrpCollector(4)
  const v6 = new VrpCollector(6)
  for (let at = 0; at < 60_000; at++) {
    v4.add([(0x2d00_0000 + at * 256) >>> 0], 24, 24, (at % 7) + 1)
    v6.add([0x2a00_0000 + at, 0, 0, 0], 32, 48, (at % 7) + 1)
  }
  let turns = 0
  const ticking = setInterval(() => (turns += 1), 5)
  const aside = await buildIndex(v4.columns(), v6.columns())
  clearInterval(ticking)
  expect(turns).toBeGreaterThan(3)
  const here = VrpIndex.build(v4.columns(), v6.columns())
  expect([aside.count, here.count]).toEqual([120_000, 120_000])
  for (const text of ['45.0.0.0/24', '45.200.1.0/24', '45.0.0.0/25', '46.0.0.0/24', '2a00:1::/48', '2a01:ffff::/32'])
    for (let origin = 0; origin < 9; origin++)
      expect(aside.validate(parsePrefix(text), origin)).toEqual(here.validate(parsePrefix(text), origin))
})
