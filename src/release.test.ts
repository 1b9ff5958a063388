import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readRelease } from './release.ts'

const commit = (() => {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return null
  }
})()

test.skipIf(!commit)('the release is the whole name of the commit, as other programs write it', () => {
  expect(readRelease()).toBe(commit!.toString().trim())
})
