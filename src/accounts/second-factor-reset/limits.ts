/** Rules of resets that the server enforces and the screens show in advance. */

/** A reset that is not approved within this time expires. */
export const APPROVAL_HOURS = 72
/** How long staff whose access was granted or changed in the portal can neither request nor approve a reset. */
export const STAFF_CHANGE_DAYS = 7
/** How long the previous address of an account is notified of a reset as well. */
export const FORMER_ADDRESS_DAYS = 30
/** The maximum of SECOND_FACTOR_RESET_WAIT. */
export const RESET_WAIT_MAX_DAYS = 7
