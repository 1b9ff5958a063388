/** Builds the image that virtual routers boot on this machine, from Debian's packages. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { runBuild } from './build-process.ts'

/**
 * QEMU runs as a separate user, which may be unable to enter the checkout or DATA_DIR; the image is the same for all.
 */
export const IMAGES = '/var/lib/longhaul/images'
const APPLIANCE = 'longhaul-appliance'

/**
 * Builds the image if it is missing or comes from another recipe. Needs root. Throws when it cannot be built; the
 * builder has printed why on standard error.
 */
export async function ensureRouterImage(say: (line: string) => void): Promise<void> {
  await mkdir(IMAGES, { recursive: true, mode: 0o755 })
  if (!existsSync(path.join(IMAGES, APPLIANCE, 'image.json'))) {
    say('Building the router image from Debian packages. This takes half a minute, once ...')
  }
  if (!(await runBuild([path.join('images', 'appliance', 'build.ts'), '--out', IMAGES])))
    throw new Error('The router image could not be built; the reason is above.')
}
