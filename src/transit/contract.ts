/** The API contract of transit. The browser imports it as types only. */
import type { z } from 'zod'
import type { Answer } from '../kernel/endpoint.ts'
import { bulkApi } from './contract/bulk.ts'
import { connectionApi, type session, type sessionEvent, type sessionOutages } from './contract/connection.ts'
import { controlsApi, type blackhole, type limitRequest, type staffLimitRequest } from './contract/controls.ts'
import { contactLinksApi } from './contract/contact-links.ts'
import { edgesApi, type adminEdge } from './contract/edges.ts'
import type { adminPrefix, checkResult, remediationStep, prefix, stage } from './contract/prefix-shapes.ts'
import { loasApi, type loa } from './contract/loas.ts'
import { loadsApi, type edgeLoad } from './contract/loads.ts'
import { lookingGlassApi, type receivedRoute } from './contract/looking-glass.ts'
import { maintenanceApi, type adminMaintenanceWindow, type maintenanceWindow } from './contract/maintenance.ts'
import { policyApi } from './contract/policy.ts'
import { prefixesApi } from './contract/prefixes.ts'
import { sessionsApi, type staffSession } from './contract/sessions.ts'

export const transitApi = {
  ...connectionApi,
  ...prefixesApi,
  ...bulkApi,
  ...controlsApi,
  ...contactLinksApi,
  ...loasApi,
  ...policyApi,
  ...edgesApi,
  ...loadsApi,
  ...sessionsApi,
  ...lookingGlassApi,
  ...maintenanceApi,
}

export type TransitApi = typeof transitApi
export type TransitConnection = Answer<TransitApi['GET /api/transit_connection']>
export type TransitSession = z.output<typeof session>
export type TransitPrefix = z.output<typeof prefix>
export type AdminTransitPrefix = z.output<typeof adminPrefix>
export type AdminEdge = z.output<typeof adminEdge>
export type MaintenanceWindow = z.output<typeof maintenanceWindow>
export type AdminMaintenanceWindow = z.output<typeof adminMaintenanceWindow>
export type EdgeLoad = z.output<typeof edgeLoad>
export type PrefixPolicy = Answer<TransitApi['GET /api/admin/prefix_policy']>
export type PrefixImport = NonNullable<Answer<TransitApi['GET /api/transit_prefixes/import']>['import']>
export type PrefixQuota = Answer<TransitApi['GET /api/transit_prefixes/quota']>
export type AdminPrefixQuota = Answer<TransitApi['GET /api/admin/users/{id}/prefix_quota']>
export type Loa = z.output<typeof loa>
export type VerifiedLoa = Answer<TransitApi['GET /api/loas/{code}']>
export type Stage = z.output<typeof stage>
export type Remediation = z.output<typeof remediationStep>
export type CheckResult = z.output<typeof checkResult>
export type CheckProblem = CheckResult['problems'][number]
export type StaffTopology = Answer<TransitApi['GET /api/admin/topology']>
export type StaffSession = z.output<typeof staffSession>
export type LimitRequest = z.output<typeof limitRequest>
export type StaffLimitRequest = z.output<typeof staffLimitRequest>
export type Blackhole = z.output<typeof blackhole>
export type SessionEvent = z.output<typeof sessionEvent>
export type SessionOutages = z.output<typeof sessionOutages>
export type ReceivedRoute = z.output<typeof receivedRoute>
export type SentRoute = Answer<TransitApi['GET /api/transit_connection/sent_routes']>['routes'][number]
export type PrefixExplanation = Answer<TransitApi['GET /api/transit_connection/why']>
export type LookupResult = Answer<TransitApi['GET /api/looking_glass']>
export type StaffLookupResult = Answer<TransitApi['GET /api/admin/looking_glass']>
