/** In local storage, `on` or absent. */
export const STAFF_TOOLS_KEY = 'staff-tools'
