/** What transit is given by the composition root. */
import type { EdgeDriver } from '../drivers/edge/index.ts'
import type { IrrSource } from '../drivers/irr/index.ts'
import type { RpkiSource } from '../drivers/rpki/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Db } from '../platform/db/index.ts'
import type { NewsBus } from '../platform/events.ts'
import type { Operator } from './filters/desired.ts'

export interface TransitDeps {
  readonly db: Db
  readonly clock: Clock
  readonly bus: NewsBus
  readonly edge: EdgeDriver
  readonly rpki: RpkiSource
  readonly irr: IrrSource
  readonly operator: Operator
  /** The most trusted IRR source: where a suggested object is meant to go when nothing else says so. */
  readonly irrSource: string
}
