import type { CarriedCustomer, EdgeCustomer, EdgeDesiredState } from './index.ts'

/**
 * Returns the prefixes that an edge with this state reports. Nothing is originated for a customer that is shut down.
 */
export const carriedBy = (state: EdgeDesiredState): CarriedCustomer[] => state.customers.map(carriedOnce)

const known = new WeakMap<EdgeCustomer, CarriedCustomer>()

/**
 * Returns the same object for the same customer: states are compared on every load, and most customers do not change.
 */
function carriedOnce(customer: EdgeCustomer): CarriedCustomer {
  const { id, asn, enabled, accept, statics } = customer
  const carried = known.get(customer) ?? {
    id,
    asn,
    enabled,
    accept: accept.map(({ prefix, origin }) => ({ prefix, origin })),
    statics: enabled ? statics.map(({ prefix }) => prefix) : [],
  }
  known.set(customer, carried)
  return carried
}
