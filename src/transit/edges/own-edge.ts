/** Identifies, for the reconcilers, the edge that this process drives. */
import type { Db } from '../../platform/db/index.ts'
import '../tables.ts'

export interface OwnEdge {
  /** Returns the edge's id, or `all` to look it up: a process may start before staff have added its edge. */
  wake(): number | 'all'
  due(): Promise<number[]>
}

export function ownEdge(db: Db, slug: string): OwnEdge {
  let id: number | undefined
  return {
    wake: () => id ?? 'all',
    async due() {
      const row = await db.selectFrom('transit_edges').select('id').where('slug', '=', slug).executeTakeFirst()
      id = row?.id
      return id === undefined ? [] : [id]
    },
  }
}
