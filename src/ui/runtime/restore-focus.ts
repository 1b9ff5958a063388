/**
 * Moves the focus when the element that had it is removed: a deleted row, or a button that was replaced. Browsers reset
 * it to the page. There a screen reader hears nothing of the result, and a keyboard starts from the top. Navigations
 * (announce-route.ts) and dialogs that close above their opener handle focus themselves.
 */
import { focusHeading } from './announce-route.ts'

const TAKES_FOCUS = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"]'

/** Popovers and menus return the focus to the page or dialog below them. */
const PASSES = '[popover], [role="menu"]'

interface Held {
  readonly element: HTMLElement
  readonly pathname: string
  /** Its former position, once it is removed. */
  gap: Gap | null
}

interface Gap {
  readonly parent: Node
  readonly before: Node | null
  readonly after: Node | null
  readonly instead: readonly Node[]
}

/** The last focused element of the page, and of each dialog above it. */
const held = new WeakMap<Element, Held>()

export function restoreFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && !target.closest(PASSES))
      held.set(target.closest('dialog') ?? document.body, { element: target, pathname: location.pathname, gap: null })
  })
  document.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget) return
    // The user clicked where nothing takes focus. A removed element also loses it, but is no longer connected a moment
    // later.
    setTimeout(() => {
      const top = topmost()
      if (isLost() && held.get(top)?.element.isConnected) held.delete(top)
    })
  })
  // A user who got no focus back and went on by pointer must not lose their scroll position.
  document.addEventListener('pointerdown', () => {
    setTimeout(() => {
      if (isLost()) held.delete(topmost())
    })
  })
  new MutationObserver(restore).observe(document.body, { childList: true, subtree: true })
}

const topmost = (): Element => [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
const isLost = (): boolean => document.activeElement === document.body

function restore(changes: readonly MutationRecord[]): void {
  const top = topmost()
  for (const level of new Set([document.body, top])) {
    const from = held.get(level)
    if (!from) continue
    if (!from.element.isConnected) from.gap = gapOf(from, changes) ?? from.gap
    if (level === top && isLost() && from.pathname === location.pathname) takeUp(from)
  }
}

function takeUp({ element, gap }: Held): void {
  // For a page that was drawn again once its data arrived.
  if (!element.isConnected && element.localName === 'h1') return focusHeading()
  const next = element.isConnected ? element : gap && nearest(gap, element)
  next?.focus({ preventScroll: true })
}

/** Returns the gap that the outermost removed ancestor leaves: everything inside it is gone as well. */
function gapOf({ element, gap }: Held, changes: readonly MutationRecord[]): Gap | null {
  let lost: Node = gap?.parent.isConnected === false ? gap.parent : element
  let found: Gap | null = null
  // An ancestor may have been removed earlier: only connected nodes are a place to search from.
  let left = changes
  while (found?.parent.isConnected !== true) {
    const index = left.findIndex(({ removedNodes }) => [...removedNodes].some((node) => node.contains(lost)))
    const change = left[index]
    if (!change) return found
    const { target, previousSibling, nextSibling } = change
    const instead = changes.filter((one) => one.target === target).flatMap(({ addedNodes }) => [...addedNodes])
    found = { parent: target, before: previousSibling, after: nextSibling, instead }
    lost = target
    left = left.toSpliced(index, 1)
  }
  return found
}

/** Returns the same element redrawn, else its replacement, what follows, what came before, and so on outwards. */
function nearest({ parent, before, after, instead }: Gap, gone: HTMLElement): HTMLElement | null {
  const arrived = instead.flatMap(takersIn)
  const first =
    arrived.find((taker) => nameOf(taker) === nameOf(gone)) ??
    arrived[0] ??
    walk(after, 'nextSibling')[0] ??
    walk(before, 'previousSibling').at(-1)
  if (first) return first
  const { parentNode } = parent
  if (!(parent instanceof HTMLElement) || !parentNode || parent.matches('main, dialog, body')) return null
  return nearest({ parent: parentNode, before: parent.previousSibling, after: parent.nextSibling, instead: [] }, gone)
}

/** Returns the focusable elements of the first sibling that has any. */
function walk(from: Node | null, direction: 'nextSibling' | 'previousSibling'): readonly HTMLElement[] {
  for (let node = from; node; node = node[direction]) {
    const takers = takersIn(node)
    if (takers.length > 0) return takers
  }
  return []
}

function takersIn(node: Node): readonly HTMLElement[] {
  if (!(node instanceof HTMLElement) || !node.isConnected || node.matches(`dialog, ${PASSES}`)) return []
  const all = [...(node.matches(TAKES_FOCUS) ? [node] : []), ...node.querySelectorAll<HTMLElement>(TAKES_FOCUS)]
  return all.filter((taker) => taker.checkVisibility() && !taker.matches(':disabled') && !taker.closest(PASSES))
}

const nameOf = (element: HTMLElement): string =>
  `${element.tagName} ${element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent}`
