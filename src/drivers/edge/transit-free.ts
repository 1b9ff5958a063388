/**
 * Networks that buy no transit. A customer's path through one of them is a leak (RFC 7908 type 1): the traffic of half
 * the Internet would follow it. The set changes about once in five years. A missing entry lets a leak through; a wrong
 * one rejects a customer's good routes. Only networks on which every published list agrees are therefore included.
 */
export const TRANSIT_FREE: readonly number[] = [
  174, 701, 1299, 2914, 3257, 3320, 3356, 3491, 5511, 6453, 6461, 6762, 6830, 7018, 12956,
]
