/** The types of the staff schema, with the fields that the API promises. */
import { CHECK_STATUSES, PREFIX_STATUSES, ANNOUNCEMENT_TYPES } from '../../transit/states.ts'
import { ROUTER_STATES } from '../../routers/states.ts'
import { readPage, wholePage, type Page, type PageInfo as PageInfoRecord } from '../../platform/graphql/builder.ts'
import type { HypervisorWithUsage } from '../../routers/index.ts'
import type { RouterRecord } from '../queries/routers.ts'
import type { UserRecord } from '../queries/users.ts'
import { EVIDENCE_KINDS, STRENGTHS, type Evidence, type PrefixRecord, type TransitRecord } from '../../transit/index.ts'
import { builder } from './schema-builder.ts'

export const TransitPrefixStatus = builder.enumType('TransitPrefixStatus', { values: PREFIX_STATUSES })
const RpkiStatus = builder.enumType('RpkiStatus', { values: CHECK_STATUSES })
const IrrStatus = builder.enumType('IrrStatus', { values: CHECK_STATUSES })
const AnnouncementType = builder.enumType('AnnouncementType', { values: ANNOUNCEMENT_TYPES })
const EvidenceKind = builder.enumType('EvidenceKind', { values: EVIDENCE_KINDS })
const EvidenceStrength = builder.enumType('EvidenceStrength', { values: STRENGTHS })
const RouterState = builder.enumType('RouterState', { values: ROUTER_STATES })

export const User = builder.objectRef<UserRecord>('User')
export const IpTransit = builder.objectRef<TransitRecord>('IpTransit')
export const TransitPrefix = builder.objectRef<PrefixRecord>('TransitPrefix')
export const Router = builder.objectRef<RouterRecord>('Router')
export const Hypervisor = builder.objectRef<HypervisorWithUsage>('Hypervisor')
const Site = builder.objectRef<{ readonly id: number; readonly name: string }>('Site')

const PageInfo = builder.objectRef<PageInfoRecord>('PageInfo').implement({
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage'),
    endCursor: t.exposeString('endCursor', { nullable: true }),
  }),
})

export const UserConnection = builder.objectRef<Page<UserRecord>>('UserConnection').implement({
  fields: (t) => ({
    nodes: t.field({ type: [User], resolve: async (page) => [...(await page.nodes())] }),
    totalCount: t.int({ resolve: (page) => page.totalCount() }),
    pageInfo: t.field({ type: PageInfo, resolve: (page) => page.pageInfo() }),
  }),
})
export const TransitPrefixConnection = builder.objectRef<Page<PrefixRecord>>('TransitPrefixConnection').implement({
  fields: (t) => ({
    nodes: t.field({ type: [TransitPrefix], resolve: async (page) => [...(await page.nodes())] }),
    totalCount: t.int({ resolve: (page) => page.totalCount() }),
    pageInfo: t.field({ type: PageInfo, resolve: (page) => page.pageInfo() }),
  }),
})
const RouterConnection = builder.objectRef<Page<RouterRecord>>('RouterConnection').implement({
  fields: (t) => ({
    nodes: t.field({ type: [Router], resolve: async (page) => [...(await page.nodes())] }),
    totalCount: t.int({ resolve: (page) => page.totalCount() }),
    pageInfo: t.field({ type: PageInfo, resolve: (page) => page.pageInfo() }),
  }),
})

User.implement({
  fields: (t) => ({
    id: t.id({ resolve: (user) => `user-${user.id}` }),
    databaseId: t.exposeInt('id'),
    email: t.exposeString('email'),
    firstName: t.exposeString('firstName'),
    lastName: t.exposeString('lastName'),
    company: t.exposeString('company', { nullable: true }),
    isAdmin: t.exposeBoolean('isAdmin'),
    createdAt: t.expose('createdAt', { type: 'ISO8601DateTime' }),
    lastSignInAt: t.expose('lastSignInAt', { type: 'ISO8601DateTime', nullable: true }),
    lastSignInIp: t.exposeString('lastSignInIp', { nullable: true }),
    hasVerifiedEmail: t.exposeBoolean('hasVerifiedEmail'),
    hasValidPaymentMethod: t.exposeBoolean('hasValidPaymentMethod'),
    isSuspendedByStaff: t.exposeBoolean('isSuspendedByStaff'),
    isSuspendedForDebt: t.exposeBoolean('isSuspendedForDebt'),
    chargesThisBillingCycle: t.field({
      type: 'Money',
      resolve: (user, _, { load }) => load.chargesOfAccount.load(user.accountId),
    }),
    ipTransit: t.field({
      type: IpTransit,
      nullable: true,
      resolve: (user, _, { load }) => load.transitOfAccount.load(user.accountId),
    }),
    /** A customer has only a few, so the whole list is one page. */
    routers: t.field({
      type: RouterConnection,
      resolve: (user, _, { load }) => wholePage(() => load.routersOfAccount.load(user.accountId)),
    }),
  }),
})

IpTransit.implement({
  fields: (t) => ({
    asn: t.expose('asn', { type: 'ASN', nullable: true }),
    asSet: t.exposeString('asSet', { nullable: true }),
    asnVerifiedAt: t.expose('asnVerifiedAt', { type: 'ISO8601DateTime', nullable: true }),
    asnVerificationLink: t.string({
      nullable: true,
      resolve: (transit, _, { load }) => load.verificationLink.load(transit.accountId),
    }),
    user: t.field({ type: User, resolve: (transit, _, { load }) => load.userOfAccount.load(transit.accountId) }),
    transitableRouter: t.field({
      type: Router,
      nullable: true,
      resolve: (transit, _, { load }) => (transit.routerId === null ? null : load.router.load(transit.routerId)),
    }),
    prefixes: t.field({
      type: [TransitPrefix],
      resolve: async (transit, _, { load }) => [...(await load.prefixesOfAccount.load(transit.accountId))],
    }),
  }),
})

const PrefixEvidence = builder.objectRef<Evidence>('PrefixEvidence').implement({
  fields: (t) => ({
    kind: t.expose('kind', { type: EvidenceKind }),
    source: t.exposeString('source'),
    strength: t.expose('strength', { type: EvidenceStrength }),
    seen: t.exposeString('seen'),
  }),
})

TransitPrefix.implement({
  fields: (t) => ({
    id: t.id({ resolve: (prefix) => `prefix-${prefix.id}` }),
    databaseId: t.exposeInt('id'),
    value: t.exposeString('value'),
    status: t.expose('status', { type: TransitPrefixStatus }),
    rpkiStatus: t.expose('rpkiStatus', { type: RpkiStatus }),
    irrStatus: t.expose('irrStatus', { type: IrrStatus }),
    announcementType: t.expose('announcementType', { type: AnnouncementType }),
    originAsn: t.expose('originAsn', { type: 'ASN', nullable: true }),
    importedAt: t.expose('importedAt', { type: 'ISO8601DateTime', nullable: true }),
    flaggedAt: t.expose('flaggedAt', { type: 'ISO8601DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'ISO8601DateTime' }),
    holder: t.string({
      nullable: true,
      description: 'Whom the registry of the addresses names as their holder; null while that is not known',
      resolve: (prefix, _, { load }) => load.registryHolder.load(prefix.id),
    }),
    evidence: t.field({
      type: PrefixEvidence,
      nullable: true,
      description: 'What counts most now: what speaks against the request before what speaks for it',
      resolve: (prefix, _, { load }) => load.strongestEvidence.load(prefix.id),
    }),
    ipTransit: t.field({
      type: IpTransit,
      resolve: async (prefix, _, { load }) =>
        (await load.transitOfAccount.load(prefix.accountId)) ?? {
          accountId: prefix.accountId,
          asn: null,
          asnVerifiedAt: null,
          asSet: null,
          routerId: null,
        },
    }),
  }),
})

Router.implement({
  fields: (t) => ({
    id: t.id({ resolve: (router) => `router-${router.id}` }),
    databaseId: t.exposeInt('id'),
    uuid: t.exposeID('uuid'),
    name: t.exposeString('name'),
    cpus: t.exposeInt('cpus'),
    memory: t.exposeInt('memory', { description: 'MiB' }),
    diskSize: t.exposeInt('diskSize', { description: 'GiB' }),
    state: t.expose('state', { type: RouterState }),
    user: t.field({ type: User, resolve: (router, _, { load }) => load.userOfAccount.load(router.accountId) }),
    hypervisor: t.field({
      type: Hypervisor,
      nullable: true,
      resolve: (router, _, { load }) => load.hypervisor.load(router.hypervisorId),
    }),
  }),
})

Site.implement({
  fields: (t) => ({ id: t.id({ resolve: (site) => `site-${site.id}` }), name: t.exposeString('name') }),
})

Hypervisor.implement({
  fields: (t) => ({
    id: t.id({ resolve: (hypervisor) => `hypervisor-${hypervisor.id}` }),
    databaseId: t.exposeInt('id'),
    name: t.exposeString('name'),
    driver: t.exposeString('driver', { description: 'libvirt, or simulated' }),
    connected: t.exposeBoolean('connected'),
    drained: t.exposeBoolean('drained', { description: 'No new router is placed on it' }),
    fault: t.exposeString('fault', { nullable: true }),
    cpuUsage: t.exposeFloat('cpuUsage'),
    memoryUsage: t.exposeFloat('memoryUsage'),
    ipv4Usage: t.exposeFloat('ipv4Usage'),
    ipv6Usage: t.exposeFloat('ipv6Usage'),
    site: t.field({ type: Site, resolve: (hypervisor) => hypervisor.site }),
    routers: t.field({
      type: RouterConnection,
      args: { first: t.arg.int(), after: t.arg.string() },
      resolve: (hypervisor, args, { load }) =>
        readPage(
          args,
          (pageInput) => load.routersOnHypervisor(pageInput).load(hypervisor.id),
          () => Promise.resolve(hypervisor.routerCount),
        ),
    }),
  }),
})
