/**
 * Since when this very process hears of each hypervisor without a gap, by the id of its row. What happened before, while
 * the process was down or the connection away, nobody watched: it proves nothing about what anybody wished.
 */
export type Watched = Map<number, Date>
