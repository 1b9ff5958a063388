import type { CarriedCustomer, EdgeDesiredState } from './index.ts'

/** What an edge that runs this state says that it carries. A customer that is held down has nothing originated for it. */
export const carriedBy = (state: EdgeDesiredState): CarriedCustomer[] =>
  state.customers.map(({ id, asn, enabled, accept, statics }) => ({
    id,
    asn,
    enabled,
    accept: accept.map(({ prefix, origin }) => ({ prefix, origin })),
    statics: enabled ? statics.map(({ prefix }) => prefix) : [],
  }))
