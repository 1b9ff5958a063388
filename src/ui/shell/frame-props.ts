import type { CurrentUser } from '../runtime/session.ts'

/** The overlay above the page. */
export type Overlay = 'palette' | 'keys' | 'support' | null

export interface FrameProps {
  readonly user: CurrentUser
  readonly onOpen: (overlay: Overlay) => void
  readonly onSignOut: () => void
}
