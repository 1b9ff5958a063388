import type { Family } from '../../../kernel/prefix.ts'

/**
 * BIRD offers each change of a table to every session on it, at the same cost when the filter rejects all but the
 * default route. Customers with only that route therefore share these tables, and a change of the master table is
 * offered to one pipe for each. The number is fixed, because a session restarts when its table changes. See
 * docs/decisions/0048-sharded-tables.md.
 */
export const SHARDS = 32

export const shardTable = (customerId: number, family: Family): string => `lh_shard${customerId % SHARDS}_v${family}`

/**
 * For `policy.conf`: every table with its pipe, including those without a customer, so that none is added or removed
 * with one.
 */
export const SHARD_TABLES = ([4, 6] as const)
  .flatMap((family) => Array.from({ length: SHARDS }, (_, shard) => renderShard(shard, family)))
  .join('')

/** In BIRD's terms, import leads to the first table: customers' routes go there, and the default route comes back. */
function renderShard(shard: number, family: Family): string {
  return `ipv${family} table ${shardTable(shard, family)};
protocol pipe lh_pipe${shard}_v${family} {
  table master${family};
  peer table ${shardTable(shard, family)};
  import where net.len > 0;
  export where net.len = 0;
}
`
}
