import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../components/Icon.tsx'
import { operatorNotice, type OperatorNotice as NoticeContent } from './operator-notice.ts'

/** A timer cannot run longer than 24 days. */
const LONGEST_MS = 24 * 86_400_000
/** A margin after the time, because clocks differ. */
const AFTER_MS = 1_500

/**
 * Shows the operator's notice to everyone, from its start to its end. Its space is fixed when the page is drawn. A
 * later notice overlays the lower edge, and one that ends leaves its space empty until the next page. So nothing moves
 * away under a pointer that is about to press.
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
