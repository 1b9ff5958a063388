/** Drives one edge from this process, whenever no other does. */
import { driveAlone, type DriveOptions as Options, type Driving } from '../../platform/driving/drive.ts'
import type { EdgeDeps } from '../deps.ts'
import { claimEdge, type EdgeClaimant } from './claim.ts'

export interface DriveEdgeOptions extends Pick<
  Options,
  'databaseUrl' | 'db' | 'clock' | 'bus' | 'log' | 'board' | 'reconcilers' | 'onTrouble'
> {
  readonly deps: EdgeDeps
  readonly claimant: Pick<EdgeClaimant, 'why'> & {
    /** In words that lead a person to it. */
    readonly process: string
  }
}

export function driveEdge({ deps, claimant, ...options }: DriveEdgeOptions): Promise<Driving> {
  const { edge, edgeName: slug, operator } = deps
  return driveAlone({
    ...options,
    ...claimant,
    table: 'transit_edge_drivers',
    slug,
    claim: (on) => claimEdge(on, { why: claimant.why, slug, kind: edge.kind, routerId: operator.routerId }),
  })
}
