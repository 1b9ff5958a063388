import type { UpstreamRefusal, UpstreamRefusals } from '../../drivers/edge/index.ts'

/** What an edge last refused from its upstreams, as its row has it. */
export interface RefusalReport extends Pick<UpstreamRefusals, 'logError'> {
  readonly seenAt: string
  /** False: the product does not tell of malformed attributes. */
  readonly malformed: boolean
  readonly refusals: readonly (Omit<UpstreamRefusal, 'at'> & { readonly at: string })[]
}
