import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { HypervisorError } from '../index.ts'

const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)

/** `image.json`, as `images/` builds it. */
const manifestSchema = z.object({
  name: fileName,
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  kernel: fileName,
  initrd: fileName,
  cmdline: z.string().max(2000),
})

/** An image with the paths of its files on this host. */
export interface BootImage {
  readonly digest: string
  readonly kernel: string
  readonly initrd: string
  readonly cmdline: string
}

export async function listImages(directory: string): Promise<string[]> {
  const folders = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const names = folders.filter((folder) => folder.isDirectory()).map((folder) => folder.name)
  const found = await Promise.all(names.map((name) => readImage(directory, name)))
  return names.filter((_, index) => found[index] !== null).sort()
}

export async function loadImage(directory: string, name: string): Promise<BootImage> {
  const image = fileName.safeParse(name).success ? await readImage(directory, name) : null
  if (image === null)
    throw new HypervisorError(
      'not-found',
      `there is no image "${name.slice(0, 60)}": build it with images/appliance/build.ts`,
    )
  return image
}

/** An image that cannot be read or lacks a file is none: its builder writes the manifest last. */
async function readImage(directory: string, name: string): Promise<BootImage | null> {
  const home = join(directory, name)
  try {
    const manifest = manifestSchema.parse(JSON.parse(await readFile(join(home, 'image.json'), 'utf8')))
    const [kernel, initrd] = [join(home, manifest.kernel), join(home, manifest.initrd)]
    await Promise.all([access(kernel), access(initrd)])
    return { digest: manifest.digest, kernel, initrd, cmdline: manifest.cmdline }
  } catch {
    return null
  }
}
