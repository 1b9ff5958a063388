/**
 * The right to lead or to drive for a limited time, and the code that enforces it: see docs/decisions/0022-leases.md.
 */
export { explainSkew, isSkewed, measureSkew } from './clock-skew.ts'
export { guardDriver, underLease } from './context.ts'
export { fencedDb } from './fenced-db.ts'
export { holdLease, isLeaseHeld, WORKERS, type LastHolder, type LeaseHolder, type LeaseOptions } from './hold-lease.ts'
export { LeaseLostError, type Lease } from './lease.ts'
