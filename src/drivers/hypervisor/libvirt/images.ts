import { access, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { HypervisorError, type ImageInfo } from '../index.ts'

const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)

/** `image.json`, as `images/` builds it. */
const manifestSchema = z.object({
  name: fileName,
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  kernel: fileName,
  initrd: fileName,
  cmdline: z.string().max(2000),
  /** `package=version` for each package in the image. */
  packages: z.array(z.string().max(200)).max(2000).optional(),
})

/** An image with the paths of its files on this host. */
export interface BootImage {
  readonly digest: string
  readonly kernel: string
  readonly initrd: string
  readonly cmdline: string
  /** The version of its routing daemon. */
  readonly version: string | null
}

export async function listImages(directory: string): Promise<ImageInfo[]> {
  const folders = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const names = folders.filter((folder) => folder.isDirectory()).map((folder) => folder.name)
  const found = await Promise.all(names.toSorted().map((name) => describeImage(directory, name)))
  return found.filter((image) => image !== null)
}

async function describeImage(directory: string, name: string): Promise<ImageInfo | null> {
  const image = await readImage(directory, name)
  if (image === null) return null
  const location = join(directory, name)
  try {
    const [kernel, initrd, manifest] = await Promise.all(
      [image.kernel, image.initrd, join(location, 'image.json')].map((path) => stat(path)),
    )
    return {
      name,
      digest: image.digest,
      bytes: kernel!.size + initrd!.size,
      location,
      version: image.version,
      builtAt: manifest!.mtime,
    }
  } catch {
    // It was replaced while it was read.
    return null
  }
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

/** An image that cannot be read or lacks a file does not count: its builder writes the manifest last. */
async function readImage(directory: string, name: string): Promise<BootImage | null> {
  const home = join(directory, name)
  try {
    const manifest = manifestSchema.parse(JSON.parse(await readFile(join(home, 'image.json'), 'utf8')))
    const [kernel, initrd] = [join(home, manifest.kernel), join(home, manifest.initrd)]
    await Promise.all([access(kernel), access(initrd)])
    const [, bird] =
      /^bird\d*=(?:\d+:)?([^-]+)/.exec(manifest.packages?.find((one) => /^bird\d*=/.test(one)) ?? '') ?? []
    return { digest: manifest.digest, kernel, initrd, cmdline: manifest.cmdline, version: bird ? `BIRD ${bird}` : null }
  } catch {
    return null
  }
}
