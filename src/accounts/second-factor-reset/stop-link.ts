/** Prefix of the token in the link that stops a reset. Its page also confirms a new email address. */
export const STOP_PREFIX = 'stop-reset.'
