/** States of a delivery, and limits. Used by the server and the screens. */

export const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'FAILED'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

export const ENDPOINTS_MAX = 10
/** How long a message is tried, in hours. An endpoint that took nothing for as long is switched off. */
export const TRIED_FOR_HOURS = 72
/** Messages and the log of their deliveries are kept this long; what is older cannot be sent again. */
export const RETENTION_DAYS = 30
/** How long the secret before a new one stays good, in hours. */
export const OVERLAP_HOURS_MAX = 168
export const OVERLAP_HOURS = 24
/** Sent again at once with one request; the answer says whether more are left. */
export const REPLAY_MAX = 1_000
/** The form of the messages: it becomes another number when a field goes or changes its meaning, never when one is added. */
export const MESSAGE_VERSION = 1
