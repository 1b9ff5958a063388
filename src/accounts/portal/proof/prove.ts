import { createContext, useContext } from 'react'

/**
 * Confirms the user's identity, unless that was done recently. Call it before anything that an unattended browser
 * must not do. Returns false if the user canceled.
 */
export type ConfirmIdentityFn = () => Promise<boolean>

export const ConfirmIdentityContext = createContext<ConfirmIdentityFn>(() => Promise.resolve(false))
export const useConfirmIdentity = (): ConfirmIdentityFn => useContext(ConfirmIdentityContext)
