import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packBootFiles, removeBootFiles, storeBootFiles } from './boot-files.ts'

describe('boot files', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lh-boot-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it("are unpacked by the guest's own tar as they were given", () => {
    const files = { hostname: 'kestrel\n', 'bird.conf': `# ümlaut\n${'x'.repeat(511)}`, 'keys/root': '' }
    const archive = packBootFiles(files)
    for (const [path, text] of Object.entries(files))
      expect(execFileSync('busybox', ['tar', '-xOf', '-', path], { input: archive }).toString()).toBe(text)
    const listing = execFileSync('busybox', ['tar', '-tf', '-'], { input: archive, encoding: 'utf8' })
    expect(listing.trim().split('\n')).toEqual(['bird.conf', 'hostname', 'keys/root'])
  })

  it.each(['/etc/passwd', '../up', 'a/../b', '.hidden', 'with space', 'a'.repeat(100), ''])(
    'are never at %j',
    (path) => {
      expect(() => packBootFiles({ [path]: '' })).toThrow('is not a path')
    },
  )

  it('are stored once, readable by root alone, and leave nothing beside them', async () => {
    const path = join(folder, 'boot.tar')
    expect(await storeBootFiles(path, packBootFiles({ a: '1' }))).toBe(true)
    expect(await storeBootFiles(path, packBootFiles({ a: '1' }))).toBe(false)
    expect(await storeBootFiles(path, packBootFiles({ a: '2' }))).toBe(true)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['boot.tar'])
  })

  it('go with what a process left that was killed while it wrote them', async () => {
    const path = join(folder, 'boot.tar')
    const script = `import { storeBootFiles } from ${JSON.stringify(join(import.meta.dirname, 'boot-files.ts'))}
      import fs from 'node:fs/promises'
      import { syncBuiltinESMExports } from 'node:module'
      fs.rename = () => process.kill(process.pid, 'SIGKILL')
      syncBuiltinESMExports()
      await storeBootFiles(${JSON.stringify(path)}, Buffer.from('half'))`
    spawnSync(process.execPath, ['--input-type=module', '--eval', script])
    expect(await readdir(folder)).toHaveLength(1)
    await removeBootFiles(path)
    expect(await readdir(folder)).toEqual([])
  })
})
