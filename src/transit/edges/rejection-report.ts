import type { UpstreamRejection, UpstreamRejections } from '../../drivers/edge/index.ts'

/** The rejections from upstreams that an edge last reported, as stored in its row. */
export interface RejectionReport extends Pick<UpstreamRejections, 'logError'> {
  readonly seenAt: string
  /** False: the product does not report malformed attributes. */
  readonly malformed: boolean
  readonly rejections: readonly (Omit<UpstreamRejection, 'at'> & { readonly at: string })[]
}
