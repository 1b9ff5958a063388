/** The border of transit. Imported by the browser as types alone. */
import type { z } from 'zod'
import type { Answer } from '../kernel/endpoint.ts'
import { connectionApi, type session, type sessionEvent } from './contract/connection.ts'
import { contactLinksApi } from './contract/contact-links.ts'
import { edgesApi, type adminEdge } from './contract/edges.ts'
import type { adminPrefix, checkResult, remediationStep, prefix, stage } from './contract/prefix-shapes.ts'
import { loadsApi, type edgeLoad } from './contract/loads.ts'
import { policyApi } from './contract/policy.ts'
import { prefixesApi } from './contract/prefixes.ts'
import { sessionsApi, type staffSession } from './contract/sessions.ts'

export const transitApi = {
  ...connectionApi,
  ...prefixesApi,
  ...contactLinksApi,
  ...policyApi,
  ...edgesApi,
  ...loadsApi,
  ...sessionsApi,
}

export type TransitApi = typeof transitApi
export type TransitConnection = Answer<TransitApi['GET /api/transit_connection']>
export type TransitSession = z.output<typeof session>
export type TransitPrefix = z.output<typeof prefix>
export type AdminTransitPrefix = z.output<typeof adminPrefix>
export type AdminEdge = z.output<typeof adminEdge>
export type EdgeLoad = z.output<typeof edgeLoad>
export type PrefixPolicy = Answer<TransitApi['GET /api/admin/prefix_policy']>
export type Stage = z.output<typeof stage>
export type Remediation = z.output<typeof remediationStep>
export type CheckResult = z.output<typeof checkResult>
export type CheckProblem = CheckResult['problems'][number]
export type StaffSession = z.output<typeof staffSession>
export type SessionEvent = z.output<typeof sessionEvent>
