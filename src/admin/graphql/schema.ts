/** The queries of the staff schema. */
import type { UserId } from '../../kernel/ids.ts'
import { printSchema, lexicographicSortSchema } from 'graphql'
import { readPage } from '../../platform/graphql/builder.ts'
import { hypervisorsWithUsage } from '../../routers/index.ts'
import { findPrefix, prefixesThatFit, PREFIX_SORTS, sortKeyOfPrefixes } from '../../transit/index.ts'
import { countUsers, listUsers, sortKeyOfUsers, USER_SORTS, usersByIds } from '../queries/users.ts'
import { builder } from './schema-builder.ts'
import {
  Hypervisor,
  TransitPrefix,
  TransitPrefixConnection,
  TransitPrefixStatus,
  User,
  UserConnection,
} from './types.ts'

const UserSort = builder.enumType('UserSort', { values: USER_SORTS })
const TransitPrefixSort = builder.enumType('TransitPrefixSort', { values: PREFIX_SORTS })
const RevenuePeriod = builder.enumType('RevenuePeriod', { values: ['MONTHLY'] as const })
const Revenue = builder
  .objectRef<{ projected: { amount: number; currency: string }; accrued: { amount: number; currency: string } }>(
    'Revenue',
  )
  .implement({
    fields: (t) => ({
      projected: t.expose('projected', { type: 'Money', description: "Expected by the period's end" }),
      accrued: t.expose('accrued', { type: 'Money', description: 'Charges accrued this month' }),
    }),
  })

builder.queryType({
  fields: (t) => ({
    hypervisors: t.field({ type: [Hypervisor], resolve: (_, __, { db }) => hypervisorsWithUsage(db) }),
    hypervisor: t.field({
      type: Hypervisor,
      nullable: true,
      args: { databaseId: t.arg.int({ required: true }) },
      resolve: (_, { databaseId }, { load }) => load.hypervisor.load(databaseId),
    }),
    users: t.field({
      type: UserConnection,
      args: {
        since: t.arg({ type: 'ISO8601DateTime' }),
        wantsCustomers: t.arg.boolean(),
        suspended: t.arg.boolean(),
        search: t.arg.string(),
        sort: t.arg({ type: UserSort, required: true, defaultValue: 'CREATED_DESC' }),
        first: t.arg.int(),
        after: t.arg.string(),
      },
      resolve: (_, { since, wantsCustomers, suspended, search, sort, ...page }, { db }) => {
        const filter = {
          since: since ?? undefined,
          wantsCustomers: wantsCustomers ?? undefined,
          suspended: suspended ?? undefined,
          search: search ?? undefined,
        }
        return readPage(
          page,
          (wanted) => listUsers(db, filter, wanted, sort),
          () => countUsers(db, filter),
          sortKeyOfUsers(sort),
        )
      },
    }),
    user: t.field({
      type: User,
      nullable: true,
      args: { databaseId: t.arg.int({ required: true }) },
      resolve: async (_, { databaseId }, { db }) =>
        (await usersByIds(db, [databaseId as UserId])).get(databaseId as UserId) ?? null,
    }),
    transitPrefixes: t.field({
      type: TransitPrefixConnection,
      args: {
        status: t.arg({ type: TransitPrefixStatus }),
        search: t.arg.string(),
        sort: t.arg({ type: TransitPrefixSort, required: true, defaultValue: 'CREATED_DESC' }),
        first: t.arg.int(),
        after: t.arg.string(),
      },
      resolve: (_, { status, search, sort, ...page }, { db }) => {
        const found = prefixesThatFit(db, { status: status ?? undefined, search: search ?? undefined })
        return readPage(page, (wanted) => found.list(wanted, sort), found.count, sortKeyOfPrefixes(sort))
      },
    }),
    transitPrefix: t.field({
      type: TransitPrefix,
      nullable: true,
      args: { databaseId: t.arg.int({ required: true }) },
      resolve: (_, { databaseId }, { db }) => findPrefix(db, databaseId),
    }),
    revenue: t.field({
      type: Revenue,
      args: { period: t.arg({ type: RevenuePeriod, required: true, defaultValue: 'MONTHLY' }) },
      resolve: (_, __, { db, money }) => money.revenue(db),
    }),
  }),
})

export const staffSchema = builder.toSchema()

/** Prints the schema as committed in `schema.graphql`; a test compares the two. */
export const printStaffSchema = (): string => `${printSchema(lexicographicSortSchema(staffSchema))}\n`
