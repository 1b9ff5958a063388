import { createContext, useContext } from 'react'

/**
 * Why nothing can be changed on this page; null when changes are possible. The component that draws the frame provides
 * it, and every button that changes data shows it.
 */
export const ReadOnlyReasonContext = createContext<string | null>(null)
export const useReadOnlyReason = (): string | null => useContext(ReadOnlyReasonContext)
