/**
 * Builds the router appliance, a kernel and an initramfs, from Debian packages:
 *
 *     node images/appliance/build.ts --out DIR
 *
 * Leaves `DIR/longhaul-appliance/{vmlinuz,initrd,image.json}`. A second run with the same recipe and the same package
 * versions does nothing. Needs apt, dpkg-deb and depmod; no root.
 */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { writeCpio } from './cpio.ts'
import { downloadPackages, pinPackages, unpackPackages, type PinnedPackages } from './packages.ts'
import { IMAGE_NAME } from './recipe.ts'
import { composeRoot } from './rootfs.ts'
import { BuildError, ending } from './run.ts'

const HERE = import.meta.dirname

/** Level 9 is within 6 % of 19 in size and takes a second instead of ten; the guest unpacks both equally fast. */
const COMPRESSION_LEVEL = 9

interface ImageManifest {
  readonly name: string
  /** Of the two files: what a machine booted from. */
  readonly digest: string
  /** Of recipe and package versions: what a rebuild compares. */
  readonly recipe: string
  readonly kernel: string
  readonly initrd: string
  readonly cmdline: string
  readonly packages: readonly string[]
}

async function build(out: string): Promise<void> {
  const started = performance.now()
  const home = join(out, IMAGE_NAME)
  const packages = (await pinnedSinceLists(home)) ?? (await pinPackages())
  const recipe = await digestRecipe(packages)
  if ((await readManifest(home))?.recipe === recipe) {
    console.log(`${IMAGE_NAME} is up to date`)
    return
  }
  const work = await mkdtemp(join(tmpdir(), `${IMAGE_NAME}-`))
  try {
    const { kernel, initrd } = await buildParts(packages, work)
    await publish(out, kernel, initrd, { recipe, packages })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${IMAGE_NAME}: kernel ${mebibytes(kernel)}, initrd ${mebibytes(initrd)}, built in ${seconds} s`)
  } finally {
    // A tool that was just told to end may still write.
    await rm(work, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function buildParts(packages: PinnedPackages, work: string): Promise<{ kernel: Buffer; initrd: Buffer }> {
  const downloads = join(work, 'packages')
  const root = join(work, 'root')
  await mkdir(downloads)
  await mkdir(root)
  console.log(`fetching ${packages.length} Debian packages`)
  await unpackPackages(await downloadPackages(packages, downloads), root)
  const vmlinuz = (await readdir(join(root, 'boot'))).find((file) => file.startsWith('vmlinuz-'))
  if (vmlinuz === undefined) throw new BuildError('the kernel package holds no boot/vmlinuz-*')
  const tree = await composeRoot(root, join(HERE, 'guest'))
  const initrd = await promisify(zstdCompress)(writeCpio(tree), {
    params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
  })
  return { kernel: await readFile(join(root, 'boot', vmlinuz)), initrd }
}

/** Files carry their digest in their name and the manifest changes last: a machine that starts meanwhile finds a whole image. */
async function publish(
  out: string,
  kernel: Buffer,
  initrd: Buffer,
  facts: Pick<ImageManifest, 'recipe' | 'packages'>,
): Promise<void> {
  const home = join(out, IMAGE_NAME)
  await mkdir(home, { recursive: true, mode: 0o755 })
  const manifest: ImageManifest = {
    name: IMAGE_NAME,
    digest: sha256(kernel, initrd),
    ...facts,
    kernel: `vmlinuz-${sha256(kernel).slice(0, 16)}`,
    initrd: `initrd-${sha256(initrd).slice(0, 16)}`,
    cmdline: (await readFile(join(HERE, 'cmdline'), 'utf8')).trim(),
  }
  await writeInOneStep(join(home, manifest.kernel), kernel)
  await writeInOneStep(join(home, manifest.initrd), initrd)
  await writeInOneStep(join(home, 'image.json'), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
}

async function writeInOneStep(path: string, content: Buffer): Promise<void> {
  const beside = `${path}.${process.pid}.new`
  await writeFile(beside, content, { mode: 0o644, flush: true })
  await rename(beside, path)
}

async function digestRecipe(packages: PinnedPackages): Promise<string> {
  const hash = createHash('sha256').update(packages.join('\n'))
  const files = await readdir(HERE, { recursive: true, withFileTypes: true })
  const paths = files
    .filter((file) => file.isFile() && !file.name.endsWith('.test.ts'))
    .map((file) => join(file.parentPath, file.name))
  for (const path of paths.sort()) hash.update(path.slice(HERE.length)).update(await readFile(path))
  return hash.digest('hex')
}

/** Asking apt takes seconds, at every start; while its lists are those of the last build, so is its answer. */
async function pinnedSinceLists(home: string): Promise<PinnedPackages | null> {
  try {
    const [built, listed] = await Promise.all([stat(join(home, 'image.json')), stat('/var/lib/apt/lists')])
    const packages = (await readManifest(home))?.packages
    if (built.mtimeMs <= listed.mtimeMs || !Array.isArray(packages)) return null
    return packages.every((entry) => typeof entry === 'string') ? packages : null
  } catch {
    return null
  }
}

async function readManifest(home: string): Promise<{ recipe?: unknown; packages?: unknown } | null> {
  try {
    return JSON.parse(await readFile(join(home, 'image.json'), 'utf8')) as { recipe?: unknown; packages?: unknown }
  } catch {
    // Absent or half written by an older builder: both mean that it must be built.
    return null
  }
}

function sha256(...parts: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

function mebibytes(content: Buffer): string {
  return `${(content.length / 1048576).toFixed(1)} MiB`
}

const { values } = parseArgs({ options: { out: { type: 'string' } } })
if (values.out === undefined) {
  console.error('usage: node images/appliance/build.ts --out DIR')
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort())
try {
  await build(resolve(values.out))
} catch (error) {
  if (!(error instanceof BuildError)) throw error
  console.error(`${IMAGE_NAME} was not built: ${error.message}`)
  process.exit(1)
}
