import type { CarriedCustomer, EdgeDesiredState } from './index.ts'

/** The prefixes that an edge with this state reports. Nothing is originated for a customer that is shut down. */
export const carriedBy = (state: EdgeDesiredState): CarriedCustomer[] =>
  state.customers.map(({ id, asn, enabled, accept, statics }) => ({
    id,
    asn,
    enabled,
    accept: accept.map(({ prefix, origin }) => ({ prefix, origin })),
    statics: enabled ? statics.map(({ prefix }) => prefix) : [],
  }))
