/**
 * The 95th percentile by nearest rank: the busiest twentieth of all slots, rounded down, is dropped, and the busiest
 * slot left is billed. The full rule, with gaps and resets: docs/decisions/0007-metering.md.
 */

/** Returns how many of this many slots may be above the commit without cost. */
export const freeSlots = (slots: number): number => Math.floor(slots / 20)

/** Returns the rank of the billed slot; 1 is the busiest. */
export const billedRank = (slots: number): number => freeSlots(slots) + 1
