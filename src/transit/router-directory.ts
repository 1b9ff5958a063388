/** What transit asks of the routers' slice. */
import type { Db } from '../platform/db/index.ts'

export interface CarryingRouter {
  readonly id: number
  readonly userId: number
  readonly uuid: string
  readonly name: string
  readonly state: string
  readonly addresses: readonly { readonly address: string; readonly gateway: string | null }[]
}

/** Routers by id; one that is gone or being deleted is not among them. */
export type FindRouters = (db: Db, ids: readonly number[]) => Promise<CarryingRouter[]>
