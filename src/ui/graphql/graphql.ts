/** `graphql` with the types of the staff's schema; `scripts/graphql.ts` checks the queries against it. */
import { initGraphQLTada } from 'gql.tada'
import type { introspection } from './graphql-env.d.ts'

export const graphql = initGraphQLTada<{
  introspection: introspection
  scalars: { ASN: number; ISO8601DateTime: string }
  /** A page hands whole responses to its parts: they are in one folder and change together. */
  disableMasking: true
}>()

export type { ResultOf } from 'gql.tada'
