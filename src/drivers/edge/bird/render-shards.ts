import type { Family } from '../../../kernel/prefix.ts'

/**
 * BIRD offers each change of a table to every session on it, which costs as much when the filter refuses all but the default route.
 * So customers who want that route alone share these tables, and a change of the master table is offered to one pipe for each. Fixed,
 * because a session restarts when its table changes. See docs/decisions/0048-sharded-tables.md.
 */
export const SHARDS = 32

export const shardTable = (customerId: number, family: Family): string => `lh_shard${customerId % SHARDS}_v${family}`

/** For `policy.conf`: every table with its pipe, also those without a customer, so that none comes and goes with one. */
export const SHARD_TABLES = ([4, 6] as const)
  .flatMap((family) => Array.from({ length: SHARDS }, (_, shard) => renderShard(shard, family)))
  .join('')

/** What BIRD calls import leads to the first table: customers' routes go there, and the default route comes back. */
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
