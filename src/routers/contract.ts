/** The API of routers. The browser imports only its types. */
import type { z } from 'zod'
import type { Answer } from '../kernel/endpoint.ts'
import { bulkApi } from './contract/bulk.ts'
import { customerApi } from './contract/customer.ts'
import type { series } from './contract/metrics.ts'
import type { metricsPoint, ownRouter, router, routerDetail, routerSession } from './contract/router.ts'
import { staffApi, type adminRouter, type listedRouter, type routerFilter } from './contract/staff.ts'

export const routersApi = { ...customerApi, ...bulkApi, ...staffApi }

export type RoutersApi = typeof routersApi
export type Catalogue = Answer<RoutersApi['GET /api/catalogue']>
export type Router = z.output<typeof router>
export type OwnRouter = z.output<typeof ownRouter>
export type RouterDetail = z.output<typeof routerDetail>
export type AdminRouter = z.output<typeof adminRouter>
export type RouterFilter = z.output<typeof routerFilter>
export type ListedRouter = z.output<typeof listedRouter>
export type RouterSession = z.output<typeof routerSession>
export type MetricsPoint = z.output<typeof metricsPoint>
export type MetricsSeries = z.output<typeof series>
