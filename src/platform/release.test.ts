import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
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

const folder = mkdtempSync(path.join(tmpdir(), 'longhaul-release-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.net', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .toString()
    .trim()

test('without a clone the release is the version of the package', () => {
  writeFileSync(path.join(folder, 'package.json'), '{"version": "1.2.3"}')
  expect(readRelease(folder)).toBe('1.2.3')
})

test.skipIf(!commit)('a clone has its commit: on a branch, packed, detached, and in a linked worktree', () => {
  git('init', '--quiet', '--initial-branch', 'main')
  git('commit', '--quiet', '--allow-empty', '--message', 'one')
  const head = git('rev-parse', 'HEAD')
  expect(readRelease(folder)).toBe(head)
  git('pack-refs', '--all')
  expect(readRelease(folder)).toBe(head)
  git('worktree', 'add', '--quiet', 'linked')
  expect(readRelease(path.join(folder, 'linked'))).toBe(head)
  git('checkout', '--quiet', '--detach')
  expect(readRelease(folder)).toBe(head)
})

// Only root can give a file to another owner.
test.skipIf(!commit || process.getuid?.() !== 0)('a clone that belongs to another user has its commit too', () => {
  const head = git('rev-parse', 'HEAD')
  execFileSync('chown', ['-R', '65534:65534', folder])
  expect(() => execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { stdio: 'pipe' })).toThrow(/dubious ownership/)
  expect(readRelease(folder)).toBe(head)
})
