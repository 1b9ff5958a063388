import type { CurrentUser } from '../runtime/session.ts'

/** What lies over the screen. */
export type Overlay = 'palette' | 'keys' | 'support' | null

export interface FrameProps {
  readonly user: CurrentUser
  readonly onOpen: (overlay: Overlay) => void
  readonly onSignOut: () => void
}
