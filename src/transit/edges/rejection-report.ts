import type { UpstreamRejection, UpstreamRejections } from '../../drivers/edge/index.ts'

/** What an edge last refused from its upstreams, as its row has it. */
export interface RejectionReport extends Pick<UpstreamRejections, 'logError'> {
  readonly seenAt: string
  /** False: the product does not tell of malformed attributes. */
  readonly malformed: boolean
  readonly rejections: readonly (Omit<UpstreamRejection, 'at'> & { readonly at: string })[]
}
