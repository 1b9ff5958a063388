import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError } from './config.ts'
import { ensureDataDir } from './data-dir.ts'

const home = await mkdtemp(path.join(tmpdir(), 'longhaul-data-dir-'))
afterAll(() => rm(home, { recursive: true }))

test('a folder for the data is made where there is none, with those above it', async () => {
  const folder = path.join(home, 'var', 'data')
  await ensureDataDir(folder)
  await ensureDataDir(folder)
  expect((await stat(folder)).isDirectory()).toBe(true)
})

test('a setting that names no folder is refused by name, with what it got and what it takes', async () => {
  const file = path.join(home, 'file')
  await writeFile(file, '')
  for (const wrong of [file, path.join(file, 'below')]) {
    const denial = await ensureDataDir(wrong).catch((error: unknown) => error)
    expect(denial).toBeInstanceOf(ConfigError)
    expect((denial as Error).message).toContain(`DATA_DIR: got "${wrong}", takes a folder`)
  }
})
