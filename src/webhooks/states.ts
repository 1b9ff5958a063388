/** States of a delivery, and limits. Used by the server and the screens. */

export const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'FAILED'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

export const ENDPOINTS_MAX = 10
/** How long a message is retried, in hours. An endpoint to which nothing was delivered for as long is disabled. */
export const TRIED_FOR_HOURS = 72
/** Messages and their delivery log are kept this many days. Older ones cannot be sent again. */
export const RETENTION_DAYS = 30
/** The longest time that the previous secret may stay valid, in hours. */
export const OVERLAP_HOURS_MAX = 168
export const OVERLAP_HOURS = 24
/** The most messages that one request replays. The answer says whether more are left. */
export const REPLAY_MAX = 1_000
/** The message format version. It is incremented when a field is removed or changes its meaning, never when one is added. */
export const MESSAGE_VERSION = 1
