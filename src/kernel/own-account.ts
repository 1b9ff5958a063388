/** The server's words for 403 `own_request`. Screens use them to explain beforehand why an action is disabled. */
export const OWN_ACCOUNT = 'You can’t do this for your own account. Ask another member of staff.'
