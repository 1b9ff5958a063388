/**
 * Keeps what was read of an edge's connections. A change event names its account, so the prefixes of all others are not
 * read again.
 */
import { isDeepStrictEqual } from 'node:util'
import type { AccountId } from '../../kernel/ids.ts'
import type { ConnectionDetails } from './desired.ts'

export interface ConnectionCache {
  invalidate(accountId: AccountId): void
  /** An event can be missed. Reading everything once in a while also finds a change that published none. */
  invalidateAll(): void
  /** Returns the connections, by id, that were not invalidated since they were read. */
  takeCurrent(): ReadonlyMap<number, ConnectionDetails>
  /** Keeps the result of a read. Returns it with the same object as before for each connection that is equal. */
  keep(read: readonly ConnectionDetails[]): ConnectionDetails[]
}

export function createConnectionCache(): ConnectionCache {
  let last: ReadonlyMap<number, ConnectionDetails> = new Map()
  let current = last
  let changed: Set<AccountId> | 'all' = 'all'
  return {
    invalidate(accountId) {
      if (changed !== 'all') changed.add(accountId)
    },
    invalidateAll() {
      changed = 'all'
    },
    takeCurrent() {
      const gone = changed
      changed = new Set()
      // If the read fails, what was invalidated stays absent.
      current = gone === 'all' ? new Map() : new Map([...current].filter(([, one]) => !gone.has(one.accountId)))
      return current
    },
    keep(read) {
      const connections = read.map((one) => {
        const before = last.get(one.id)
        return isDeepStrictEqual(before, one) ? before! : one
      })
      last = current = new Map(connections.map((one) => [one.id, one]))
      return connections
    },
  }
}
