import type { AccountsApi } from '../../accounts/contract.ts'
import { createClient } from '../../ui/runtime/client.ts'
import { paymentRequiredText } from '../../ui/runtime/payment-demand.ts'
import type { RoutersApi } from '../contract.ts'

export const routers = createClient<RoutersApi>({
  demand: paymentRequiredText,
  topics: {
    'GET /api/virtual_machines': ['router', 'connection', 'session'],
    'GET /api/virtual_machines/{id}': ['router', 'connection', 'session'],
  },
})

/** The keys that a new router accepts when its order names none. */
export const accountKeys = createClient<Pick<AccountsApi, 'GET /api/user/ssh_keys'>>({
  topics: { 'GET /api/user/ssh_keys': ['user'] },
})

export const routerList = () => routers.query['GET /api/virtual_machines']()
export const routerDetail = (id: number) => routers.query['GET /api/virtual_machines/{id}']({ params: { id } })
export const catalogue = () => routers.query['GET /api/catalogue']()
export const ownSshKeys = () => accountKeys.query['GET /api/user/ssh_keys']()
