import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { beforeEffect } from '../../../kernel/effects.ts'
import { HypervisorError } from '../index.ts'
import { isBootFilePath } from '../machine-spec.ts'

const BLOCK = 512
/** QEMU reads the archive into the guest's memory; a router's files have some kilobytes. */
const SIZE_LIMIT = 4 << 20

/** Packs files for the guest (ustar, POSIX.1-2017 pax). Equal files give equal bytes. */
export function packBootFiles(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, text]) => {
      if (!isBootFilePath(path))
        throw new HypervisorError(
          'refused',
          `"${path.slice(0, 60)}" is not a path that the guest takes a boot file from`,
        )
      const content = Buffer.from(text)
      return [header(path, content.length), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]
    })
  const archive = Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
  if (archive.length > SIZE_LIMIT)
    throw new HypervisorError('refused', `the boot files are ${archive.length} bytes; at most ${SIZE_LIMIT} fit`)
  return archive
}

/** Always the same name, so that the file of a killed process is overwritten or removed. */
const unfinished = (path: string): string => `${path}.new`

/** Replaces the archive atomically, and only if it differs. Returns whether it did. */
export async function storeBootFiles(path: string, archive: Buffer): Promise<boolean> {
  const stored = await readFile(path).catch(() => null)
  if (stored?.equals(archive) === true) return false
  try {
    // It may contain keys: only root and the user to whom libvirt gives it may read it.
    await writeFile(unfinished(path), archive, { mode: 0o600, flush: true })
    beforeEffect()
    await rename(unfinished(path), path)
  } finally {
    await rm(unfinished(path), { force: true })
  }
  return true
}

export async function removeBootFiles(path: string): Promise<void> {
  await rm(path, { force: true })
  await rm(unfinished(path), { force: true })
}

function header(path: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  block.write(path, 0, 'ascii')
  block.write(`${octal(0o600, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0${octal(size, 11)}\0${octal(0, 11)}\0`, 100, 'ascii')
  // The checksum counts its own field as spaces.
  block.write('        0', 148, 'ascii')
  block.write('ustar\0' + '00', 257, 'ascii')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)}\0 `, 148, 'ascii')
  return block
}
