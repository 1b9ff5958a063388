import type { AnyRouter } from '@tanstack/react-router'

/** The id of the region whose text is read out; `routes/__root.tsx` renders it. */
const ANNOUNCER = 'route-announcer'

/**
 * After a navigation, focuses the new page's heading and has its title read out. A page that only swaps its content
 * would leave a screen reader at the old one.
 */
export function announceRoutes(router: AnyRouter): void {
  router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
    if (!pathChanged || !fromLocation) return
    focusHeading()
    // React writes the head in the same commit as the page, and its effects run a frame later.
    requestAnimationFrame(() => {
      const region = document.getElementById(ANNOUNCER)
      if (region) region.textContent = document.title
    })
  })
}

/** Runs in the same task as the page is drawn, so that a Tab pressed after it continues from the heading. */
export function focusHeading(): void {
  if (document.activeElement !== document.body && document.activeElement?.closest('main')) return
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
