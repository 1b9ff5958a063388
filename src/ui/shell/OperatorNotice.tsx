import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../components/Icon.tsx'
import { operatorNotice, type OperatorNotice as NoticeContent } from './operator-notice.ts'

/** A timer counts to 24 days and no further. */
const LONGEST_MS = 24 * 86_400_000
/** Past the moment, whatever the clocks say. */
const AFTER_MS = 1_500

/**
 * What the operator has to say to everybody, from its beginning to its end. Its place above a screen is settled when the
 * screen is: one that comes later lies over the lower edge, and one that ends leaves its place empty, until the next
 * screen. So nothing moves away under a pointer that is about to press.
 */
export function OperatorNotice() {
  const { data } = useQuery({
    ...operatorNotice(),
    refetchInterval: ({ state }) => {
      const at = state.data?.changesAt
      return at ? Math.min(LONGEST_MS, Math.max(0, Date.parse(at) - Date.now()) + AFTER_MS) : false
    },
  })
  const screen = useLocation({ select: ({ pathname }) => pathname })
  const current = data?.notice ?? null
  const [settled, settle] = useState({ screen, notice: current })
  if (settled.screen !== screen) settle({ screen, notice: current })
  const { notice: above } = settled
  const isAbove = isSame(above, current)
  return (
    <>
      {above && (isAbove ? <aside {...NAMED} {...noticeClass(above)} /> : <Vacant {...noticeClass(above)} />)}
      {current && !isAbove && (
        <aside
          {...NAMED}
          {...noticeClass(
            current,
            'fixed inset-x-0 bottom-0 z-20 border-t shadow-(--shadow) max-md:bottom-14 md:left-[13.75rem]',
          )}
        />
      )}
    </>
  )
}

const NAMED = { 'aria-label': 'Notice', 'aria-live': 'polite' } as const
const Vacant = ({ className, children }: ReturnType<typeof noticeClass>) => (
  <div aria-hidden className={`invisible ${className}`}>
    {children}
  </div>
)

function noticeClass({ text, tone }: NoticeContent, item = 'border-b') {
  const warns = tone === 'warn'
  return {
    className: `flex items-start gap-2.5 px-4 py-2 text-sm md:px-8 ${warns ? 'border-warn/40 bg-warn-soft' : 'border-line bg-accent-soft'} ${item}`,
    children: (
      <>
        <Icon name={warns ? 'warning' : 'info'} className={`mt-0.5 ${warns ? 'text-warn' : 'text-accent'}`} />
        <p className="min-w-0 whitespace-pre-line wrap-anywhere">{text}</p>
      </>
    ),
  }
}

const isSame = (one: NoticeContent | null, other: NoticeContent | null): boolean =>
  one?.text === other?.text && one?.tone === other?.tone
