/**
 * Every contract of the API with the area whose scopes open it, for the OpenAPI document and for tests over all
 * endpoints.
 */
import { accountsApi } from '../accounts/index.ts'
import { auditApi, filesApi, queuesApi, searchApi, siteContentApi } from '../admin/index.ts'
import { billingApi } from '../billing/index.ts'
import { healthApi } from './health.ts'
import type { ApiOfArea } from '../platform/http/openapi.ts'
import { routersApi, inventoryApi } from '../routers/index.ts'
import { transitApi } from '../transit/index.ts'
import { webhooksApi } from '../webhooks/index.ts'

export const APIS: readonly ApiOfArea[] = [
  { area: 'staff', api: healthApi },
  { area: 'account', api: accountsApi },
  { area: 'routers', api: routersApi },
  { area: 'routers', api: inventoryApi },
  { area: 'transit', api: transitApi },
  { area: 'billing', api: billingApi },
  { area: 'webhooks', api: webhooksApi },
  { area: 'staff', api: searchApi },
  { area: 'staff', api: auditApi },
  { area: 'staff', api: filesApi },
  { area: 'staff', api: queuesApi },
  { area: 'account', api: siteContentApi },
]
