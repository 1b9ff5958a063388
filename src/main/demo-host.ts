/**
 * The second hypervisor of the demonstration. The same process drives it, since both sites are on this machine. It is
 * the same libvirt under another mark, or another simulator.
 */
import path from 'node:path'
import { SECOND_SITE, secondSiteOf } from '../../lab/second-site.ts'
import { chooseHypervisor } from '../agent/choose-drivers.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db/index.ts'
import { readInstallation } from '../platform/installation.ts'
import type { Drivers } from './choose-drivers.ts'
import type { DrivenHypervisor } from './hypervisor-agents.ts'
import { isDemonstration } from './is-demonstration.ts'

/** Returns null if this process drives no hypervisor, or is not a demonstration with routers. */
export async function openDemoHost(config: Config, db: Db, drivers: Drivers): Promise<DrivenHypervisor | null> {
  if (!config.DEMO_ROUTERS || drivers.hypervisor === null || config.hypervisorSlug === SECOND_SITE.hypervisor)
    return null
  if (!(await isDemonstration(config, db))) return null
  const place = secondSiteOf(config)
  const { driver } = await chooseHypervisor({
    ...config,
    ...place,
    // Chosen like the first: one libvirt and one simulator would make no sense.
    COMPUTE: drivers.hypervisor.driver.kind,
    IMAGE_DIR: config.IMAGE_DIR ?? path.join(config.DATA_DIR, 'images'),
  })
  const installation = await readInstallation(place.DATA_DIR)
  return { slug: SECOND_SITE.hypervisor, driver, installation, replaces: false }
}

/** False if the demonstration is older than the second hypervisor, or if staff removed it. */
export const hasDemoHost = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('hypervisors').select('id').where('slug', '=', SECOND_SITE.hypervisor).executeTakeFirst()) !==
  undefined
