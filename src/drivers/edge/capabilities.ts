/** Optional features of an edge product. A state that needs a missing feature is rejected before it is rendered. */
export interface EdgeCapabilities {
  /** Originates a prefix with a chosen next hop (`statics`). */
  readonly statics: boolean
  /** TCP MD5 (RFC 2385). */
  readonly md5: boolean
  /** Writes its routes to the kernel, so that the machine forwards packets by them. */
  readonly kernelRoutes: boolean
  /** BFD (RFC 5880). */
  readonly bfd: boolean
  /** Closes a session that exceeds a limit of accepted routes, beside the one of received routes. */
  readonly importLimit: boolean
  /** Undoes an unconfirmed change on its own, without one of our processes. */
  readonly confirmsItself: boolean
  /**
   * Reports which updates it dropped for a malformed attribute (RFC 7606). Otherwise only the log of its machine shows
   * them.
   */
  readonly malformedUpdates: boolean
}

export const ALL_CAPABILITIES: EdgeCapabilities = {
  statics: true,
  md5: true,
  kernelRoutes: true,
  bfd: true,
  importLimit: true,
  confirmsItself: true,
  malformedUpdates: true,
}
