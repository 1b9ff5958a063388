import { createContext, useContext } from 'react'

/**
 * Shows who sits there, where that was not shown lately: before what an unattended browser must not do. False when they
 * would not.
 */
export type Prove = () => Promise<boolean>

export const ProveContext = createContext<Prove>(() => Promise.resolve(false))
export const useProve = (): Prove => useContext(ProveContext)
