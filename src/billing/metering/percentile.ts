/**
 * The 95th percentile by nearest rank: of all slots of a period the busiest twentieth, rounded down, is dropped, and the
 * busiest that is left counts. The rule in full, with gaps and resets: docs/decisions/0007-metering.md.
 */

/** How many slots of so many may be above the commit without costing anything. */
export const freeSlots = (slots: number): number => Math.floor(slots / 20)

/** The rank of the slot that counts, 1 for the busiest. */
export const billedRank = (slots: number): number => freeSlots(slots) + 1
