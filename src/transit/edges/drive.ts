/** Drives one edge from this process, whenever no other does. */
import { driveAlone, type DriveOptions as Options, type Driving } from '../../platform/driving/drive.ts'
import type { EdgeDeps } from '../deps.ts'
import { claimEdge, type EdgeClaimant } from './claim.ts'

export interface DriveEdgeOptions extends Pick<
  Options,
  'databaseUrl' | 'bus' | 'log' | 'board' | 'reconcilers' | 'onTrouble'
> {
  readonly deps: EdgeDeps
  readonly claimant: Pick<EdgeClaimant, 'process' | 'why'>
}

export function driveEdge({ deps, claimant, ...options }: DriveEdgeOptions): Promise<Driving> {
  const { db, edge, edgeName: slug, operator } = deps
  return driveAlone({
    ...options,
    ...claimant,
    db,
    table: 'transit_edge_drivers',
    slug,
    claim: () => claimEdge(db, { ...claimant, slug, kind: edge.kind, routerId: operator.routerId }),
  })
}
