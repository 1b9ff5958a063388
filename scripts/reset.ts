/**
 * `node scripts/bootstrap.mjs reset --data DIR [--yes]`: a factory reset. Deleting DATA_DIR alone leaves the machines
 * and their disks with libvirt, and the demonstration's network when it was not stopped; this removes them too.
 */
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import { EmbeddedFailure } from '../src/platform/db/embedded.ts'
import { findOrphanedResources, removeInstallation } from './uninstall.ts'

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { data: { type: 'string' }, yes: { type: 'boolean', default: false } } })
  const config = readConfig(values.data === undefined ? process.env : { ...process.env, DATA_DIR: values.data }, '')
  const orphanedResources = await findOrphanedResources(config)
  if (orphanedResources.files.length === 0 && orphanedResources.machines.length === 0) {
    console.log(`There is nothing of an installation in ${config.DATA_DIR}.`)
    return 0
  }
  if (orphanedResources.inUse) {
    console.error(`A Longhaul runs in ${config.DATA_DIR}. Stop it first; nothing was removed.`)
    return 1
  }
  console.log(`${values.yes ? 'Removing' : 'This would remove, for good,'} the installation ${config.instance}:`)
  for (const file of orphanedResources.files) console.log(`  ${file}`)
  if (orphanedResources.machines.length > 0)
    console.log(`  ${orphanedResources.machines.length} virtual routers and their disks`)
  if (config.DATABASE_URL) console.log('The database that DATABASE_URL names is not touched: drop it yourself.')
  if (!values.yes) {
    console.log('Nothing was removed. Say --yes to do it.')
    return 1
  }
  await removeInstallation(config)
  return 0
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const known = error instanceof ConfigError || error instanceof EmbeddedFailure
    console.error(known ? error.message : error)
    process.exit(1)
  },
)
