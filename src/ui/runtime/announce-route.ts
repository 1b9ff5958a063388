import type { AnyRouter } from '@tanstack/react-router'

/** Of the region whose text is read out; `routes/__root.tsx` has it. */
const ANNOUNCER = 'route-announcer'

/**
 * After a navigation the focus goes to the new screen's heading and its title is read out: a page that only swaps its
 * content would leave a screen reader where the old one was.
 */
export function announceRoutes(router: AnyRouter): void {
  router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
    if (!pathChanged || !fromLocation) return
    focusHeading()
    // The head is written in the same commit as the screen, its effects a frame later.
    requestAnimationFrame(() => {
      const region = document.getElementById(ANNOUNCER)
      if (region) region.textContent = document.title
    })
  })
}

/** In the same task as the screen is drawn: a Tab pressed after it already goes on from the heading. */
export function focusHeading(): void {
  if (document.activeElement !== document.body && document.activeElement?.closest('main')) return
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
