import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addEntry, writeCpio, type RootTree } from './cpio.ts'
import { readElfNeeds } from './elf.ts'

const GUEST = join(import.meta.dirname, 'guest')

describe('the archive of the root', () => {
  it('lists what was added, with the directories above it, as cpio itself reads it', () => {
    const tree: RootTree = new Map()
    addEntry(tree, 'etc/vr/hostname', { kind: 'file', mode: 0o600, content: Buffer.from('kestrel\n') })
    addEntry(tree, 'init', { kind: 'link', target: 'bin/busybox' })
    const listing = execFileSync('busybox', ['cpio', '-t', '-v'], { input: writeCpio(tree), encoding: 'utf8' })
    const lines = listing.trim().split('\n')
    expect(lines.map((line) => `${line.split(/\s+/)[0]} ${line.slice(line.lastIndexOf(':') + 4)}`)).toEqual([
      'drwxr-xr-x etc',
      'drwxr-xr-x etc/vr',
      '-rw------- etc/vr/hostname',
      'lrwxrwxrwx init -> bin/busybox',
    ])
  })

  it('has the same bytes whatever the order of adding', () => {
    const entry = { kind: 'file', mode: 0o644, content: Buffer.from('x') } as const
    const forwards: RootTree = new Map([['a', entry] as const, ['b', entry] as const])
    const backwards: RootTree = new Map([['b', entry] as const, ['a', entry] as const])
    expect(writeCpio(forwards).equals(writeCpio(backwards))).toBe(true)
  })
})

describe('the library reader', () => {
  it('finds what this very interpreter asks for', () => {
    const needs = readElfNeeds(readFileSync(process.execPath))
    expect(needs.libraries).toContain('libc.so.6')
    expect(needs.interpreter).toContain('/ld-linux')
  })

  it('refuses what is not ELF', () => {
    expect(() => readElfNeeds(Buffer.from('#!/bin/sh\n'.padEnd(64)))).toThrow('not a 64-bit')
  })
})

describe('the files of the guest', () => {
  it('parse as shell scripts and are executable wherever they begin with an interpreter', async () => {
    const files = (await readdir(GUEST, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    const scripts = files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file, 'utf8').startsWith('#!/bin/sh'))
    expect(scripts.length).toBeGreaterThan(5)
    for (const script of scripts) {
      execFileSync('busybox', ['sh', '-n', script])
      expect((await stat(script)).mode & 0o111, script).toBe(0o111)
    }
  })
})
