import { createContext, useContext } from 'react'

/**
 * Why nothing may be changed on this page at all; null when things may be. Whoever draws the frame provides it, and every
 * button that changes something says it by itself.
 */
export const ReadOnlyReasonContext = createContext<string | null>(null)
export const useReadOnlyReason = (): string | null => useContext(ReadOnlyReasonContext)
