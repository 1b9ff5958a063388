/** Before the token in the link that stops a reset, on the page that also confirms another address. */
export const STOP_PREFIX = 'stop-reset.'
