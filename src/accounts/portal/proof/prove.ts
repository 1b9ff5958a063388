import { createContext, useContext } from 'react'

/**
 * Shows who sits there, where that was not shown lately: before what an unattended browser must not do. False when they
 * would not.
 */
export type ConfirmIdentityFn = () => Promise<boolean>

export const ConfirmIdentityContext = createContext<ConfirmIdentityFn>(() => Promise.resolve(false))
export const useConfirmIdentity = (): ConfirmIdentityFn => useContext(ConfirmIdentityContext)
