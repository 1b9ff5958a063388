import type { ReactNode } from 'react'
import { AccountFrame } from './AccountFrame.tsx'

/** Where a link of a mail leads, opened without what it carries: cut off by a mail program, or typed from memory. */
export const MissingTokenPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <AccountFrame title={title} summary="This link is incomplete. Open the link from your email again.">
    {children}
  </AccountFrame>
)
