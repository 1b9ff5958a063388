/** Binds the API of the inventory to its functions. */
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/index.ts'
import { mount } from '../../platform/http/mount.ts'
import type { RoutersDeps } from '../deps.ts'
import { hypervisorsCsv } from '../staff-csv.ts'
import { listLeased } from '../hypervisors/leases.ts'
import { readHypervisorSeries } from '../metrics/hypervisor-series.ts'
import { inventoryApi } from './contract.ts'
import { planDrain } from './drain-plan.ts'
import { addNewHypervisor, setHypervisor } from './hypervisor-settings.ts'
import { drainHypervisor, findHypervisor, listHypervisors, removeHypervisor } from './hypervisors.ts'
import { addImage, changeImage, distinctFiles, imagesAtHypervisors, listInventoryImages } from './images.ts'
import { addPool, closePool, listPools, poolAddresses } from './pools.ts'
import { addSite, changeSite, listSites } from './sites.ts'

export function inventoryRoutes(app: FastifyInstance, deps: Pick<RoutersDeps, 'db' | 'clock' | 'hypervisors'>): void {
  const { clock, hypervisors } = deps
  const leased = (on: Db) => listLeased(on, hypervisors.keys())
  mount(
    app,
    inventoryApi,
    {
      'GET /api/admin/sites': (_, { db }) => listSites(db),
      'POST /api/admin/sites': async ({ body }, { db, actor }) =>
        (await listSites(db, await addSite(db, actor, body)))[0]!,
      'PATCH /api/admin/sites/{id}': async ({ params: { id }, body }, { db, actor }) => {
        await changeSite(db, actor, id, body, clock.now())
        return (await listSites(db, id))[0]!
      },
      'GET /api/admin/hypervisors': async (_, { db }) => {
        const names = await leased(db)
        const known = await listHypervisors(db)
        return { hypervisors: known, unused: names.filter((slug) => known.every((one) => one.slug !== slug)) }
      },
      'GET /api/admin/hypervisors.csv': () => ({
        name: 'hypervisors.csv',
        body: hypervisorsCsv(deps.db),
      }),
      'POST /api/admin/hypervisors': async ({ body }, { db, actor }) => {
        const id = await addNewHypervisor(db, actor, body)
        return findHypervisor(db, id)
      },
      'PATCH /api/admin/hypervisors/{id}': async ({ params: { id }, body }, { db, actor }) => {
        const { drained, reason, ...size } = body
        const { slug } = await findHypervisor(db, id)
        await setHypervisor(db, actor, { ...size, slug })
        if (drained !== undefined) await drainHypervisor(db, actor, id, { drained, reason }, clock.now())
        return findHypervisor(db, id)
      },
      'DELETE /api/admin/hypervisors/{id}': ({ params }, { db, actor }) => removeHypervisor(db, actor, params.id),
      'GET /api/admin/hypervisors/{id}/drain': async ({ params }, { db }) => planDrain(db, await leased(db), params.id),
      'GET /api/admin/hypervisors/{id}/metrics': ({ params, query }, { db }) =>
        readHypervisorSeries(db, params.id, query, clock.now()),
      'GET /api/admin/address_pools': (_, { db }) => listPools(db),
      'POST /api/admin/address_pools': async ({ body: { site, ...pool } }, { db, actor }) =>
        (await listPools(db, await addPool(db, actor, site, pool)))[0]!,
      'PATCH /api/admin/address_pools/{id}': async ({ params: { id }, body }, { db, actor }) => {
        await closePool(db, actor, id, body.closed, clock.now())
        return (await listPools(db, id))[0]!
      },
      'GET /api/admin/address_pools/{id}/addresses': ({ params, query }, { db }) => poolAddresses(db, params.id, query),
      'GET /api/admin/images': async (_, { db }) => {
        const hosts = await imagesAtHypervisors(db)
        const images = await listInventoryImages(db, hosts)
        const unoffered = distinctFiles(hosts).filter(({ name }) => images.every(({ source }) => source !== name))
        return {
          images,
          unoffered: unoffered.map((file) => ({ ...file, builtAt: file.builtAt?.toISOString() ?? null })),
        }
      },
      'POST /api/admin/images': async ({ body }, { db, actor }) => {
        const { source = body.slug } = body
        const id = await addImage(db, actor, { ...body, source })
        return (await listInventoryImages(db, await imagesAtHypervisors(db), id))[0]!
      },
      'PATCH /api/admin/images/{id}': async ({ params: { id }, body }, { db, actor }) => {
        await changeImage(db, actor, id, body, clock.now())
        return (await listInventoryImages(db, await imagesAtHypervisors(db), id))[0]!
      },
    },
    { db: deps.db, area: 'routers' },
  )
}
