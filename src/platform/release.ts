/**
 * The release: the commit if the code is a clone, else the version of the package. It reads git's files directly: git
 * itself refuses a clone of another user ("dubious ownership"), which the documented installation creates.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../..')

export const readRelease = (root = ROOT): string =>
  readCommit(root) ?? (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }).version

function readCommit(root: string): string | null {
  const folder = gitFolder(root)
  if (folder === null) return null
  const head = read(folder, 'HEAD')
  const ref = /^ref: (\S+)$/.exec(head ?? '')?.[1]
  if (ref === undefined) return commitIn(head)
  // A linked worktree has its own HEAD; its branches are in the folder that it names.
  const shared = path.resolve(folder, read(folder, 'commondir') ?? '.')
  return commitIn(read(shared, ref)) ?? packed(shared, ref)
}

/** `.git` is a folder, or in a linked worktree a file that names one. */
function gitFolder(root: string): string | null {
  if (read(root, '.git/HEAD') !== null) return path.join(root, '.git')
  const linked = /^gitdir: (.+)$/.exec(read(root, '.git') ?? '')?.[1]
  return linked === undefined ? null : path.resolve(root, linked)
}

function packed(folder: string, ref: string): string | null {
  const line = (read(folder, 'packed-refs') ?? '').split('\n').find((one) => one.endsWith(` ${ref}`))
  return commitIn(line?.split(' ')[0] ?? null)
}

const commitIn = (text: string | null): string | null => (text !== null && /^[\da-f]{40,64}$/.test(text) ? text : null)

function read(folder: string, file: string): string | null {
  try {
    return readFileSync(path.join(folder, file), 'utf8').trim()
  } catch {
    return null
  }
}
