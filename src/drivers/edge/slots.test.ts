import { mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { ConfigSlots } from './slots.ts'

const FILES = new Map([
  ['generation.conf', 'define LH_GENERATION = "one";\n'],
  ...Array.from({ length: 64 }, (_, n) => [`customers/c${n}.conf`, `# customer ${n}\n${'x'.repeat(65_536)}`] as const),
])
const PATH = 'customers/c7.conf'

describe('a slot that was read before', () => {
  const directories: string[] = []
  let directory: string
  let slots: ConfigSlots
  let file: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lh-slots-'))
    directories.push(directory)
    file = join(directory, 'a', PATH)
    slots = new ConfigSlots(directory)
    await slots.write('a', FILES)
    expect(await slots.read('a')).toEqual(FILES)
  })
  afterAll(async () => {
    for (const one of directories) await rm(one, { recursive: true })
  })

  const bytesRead = async () => Number(/^rchar: (\d+)$/m.exec(await readFile('/proc/self/io', 'utf8'))![1])

  test('is not read again where nothing changed', async () => {
    const before = await bytesRead()
    expect(await slots.read('a')).toEqual(FILES)
    await slots.write('a', new Map([...FILES, [PATH, 'another']]))
    // Reads one file of 64 KiB out of 64.
    expect((await bytesRead()) - before).toBeLessThan(1 << 20)
    expect((await slots.read('a')).get(PATH)).toBe('another')
  })

  test.each<[string, () => Promise<void>]>([
    [
      'edits a file in place, to the same length and with its old time',
      async () => {
        await writeFile(file, FILES.get(PATH)!.replace('x', 'y'))
        await utimes(file, 0, 0)
      },
    ],
    [
      'puts another file in its place',
      async () => {
        await writeFile(`${file}.new`, 'restored')
        await rename(`${file}.new`, file)
      },
    ],
    ['empties a file', () => writeFile(file, '')],
    ['removes a file', () => rm(file)],
    ['adds a file', () => writeFile(join(directory, 'a', 'customers', 'more.conf'), 'more')],
    [
      'writes the slot from another process',
      () => new ConfigSlots(directory).write('a', new Map([...FILES].slice(0, 9))),
    ],
  ])('is seen as it is when someone %s, and put right by the next write', async (_what, damage) => {
    await damage()
    const found = await slots.read('a')
    expect(found).not.toEqual(FILES)
    expect(found).toEqual(await new ConfigSlots(directory).read('a'))
    await slots.write('a', FILES)
    expect(await new ConfigSlots(directory).read('a')).toEqual(FILES)
  })
})
