import { expect, test } from 'vitest'
import { settingsFor, sharedBuffers } from './settings.ts'

const GIBIBYTE = 2 ** 30

test('the embedded database keeps a sixteenth of the memory in pages, from 64 to 512 MB', () => {
  const of = (gibibytes: number) => sharedBuffers(gibibytes * GIBIBYTE)
  expect([0.5, 1, 2, 4, 8, 24, Infinity].map(of)).toEqual([64, 64, 128, 256, 512, 512, 512])
})

test('what this machine has decides, and a limit on the process counts as what it has', () => {
  expect(settingsFor('/somewhere')['shared_buffers']).toMatch(/^\d{2,3}MB$/)
})
