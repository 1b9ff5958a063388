/** Rules of resets that the server enforces and the screens tell beforehand. */

/** A reset that nobody approved by then expires. */
export const APPROVAL_HOURS = 72
/** How long staff whose access was granted or changed in the portal neither request nor approve one. */
export const STAFF_CHANGE_DAYS = 7
/** How long the address that an account had before is told of one as well. */
export const FORMER_ADDRESS_DAYS = 30
/** The longest that SECOND_FACTOR_RESET_WAIT can be. */
export const RESET_WAIT_MAX_DAYS = 7
