import type { ReactNode } from 'react'
import { AccountFrame } from './AccountFrame.tsx'

/** Shown when a link from an email is opened without its token: cut off by a mail client, or typed from memory. */
export const MissingTokenPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <AccountFrame title={title} summary="This link is incomplete. Open the link from your email again.">
    {children}
  </AccountFrame>
)
