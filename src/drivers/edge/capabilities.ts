/** Optional features of an edge product. A state that needs a missing feature is rejected before it is rendered. */
export interface EdgeCapabilities {
  /** Originates a prefix with a next hop of its own choice (`statics`). */
  readonly statics: boolean
  /** TCP MD5 (RFC 2385). */
  readonly md5: boolean
  /** Writes the routes that it uses to the kernel, so that the machine forwards by them. */
  readonly kernelRoutes: boolean
  /** RFC 5880. */
  readonly bfd: boolean
  /** Takes back a change that was not confirmed in time by itself, and needs no process of ours for that. */
  readonly confirmsItself: boolean
  /** Tells which updates it dropped for a malformed attribute (RFC 7606). One that cannot has it in the log of its machine. */
  readonly malformedUpdates: boolean
}

export const ALL_CAPABILITIES: EdgeCapabilities = {
  statics: true,
  md5: true,
  kernelRoutes: true,
  bfd: true,
  confirmsItself: true,
  malformedUpdates: true,
}
