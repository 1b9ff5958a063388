/**
 * Gives the focus a place when what had it leaves the screen: a row that was deleted, a button whose press put something
 * else in its stead. Browsers drop it on the page, where a screen reader hears nothing of what became of the deed and a
 * keyboard begins anew. Navigations look after themselves (announce-route.ts), and so do dialogs that close above what
 * opened them.
 */
import { focusHeading } from './announce-route.ts'

const TAKES_FOCUS = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"]'

/** What passes gives the focus back to the screen or the dialog below it. */
const PASSES = '[popover], [role="menu"]'

interface Held {
  readonly element: HTMLElement
  readonly pathname: string
  /** Where it was, once it is gone. */
  gap: Gap | null
}

interface Gap {
  readonly parent: Node
  readonly before: Node | null
  readonly after: Node | null
  readonly instead: readonly Node[]
}

/** The last of the screen, and of each dialog above it. */
const held = new WeakMap<Element, Held>()

export function restoreFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && !target.closest(PASSES))
      held.set(target.closest('dialog') ?? document.body, { element: target, pathname: location.pathname, gap: null })
  })
  document.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget) return
    // Somebody pressed where nothing takes it. What was removed also loses it, but is not there any more a moment later.
    setTimeout(() => {
      const top = topmost()
      if (isLost() && held.get(top)?.element.isConnected) held.delete(top)
    })
  })
  // Who got no focus back and went on by hand must not have the view taken from where they are now.
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
  // Of a screen that was drawn again, with what it waited for.
  if (!element.isConnected && element.localName === 'h1') return focusHeading()
  const next = element.isConnected ? element : gap && nearest(gap, element)
  next?.focus({ preventScroll: true })
}

/** The outermost of what was removed around it leaves the gap: what was in there is gone as well. */
function gapOf({ element, gap }: Held, changes: readonly MutationRecord[]): Gap | null {
  let lost: Node = gap?.parent.isConnected === false ? gap.parent : element
  let found: Gap | null = null
  // What was around it may have gone before it did: only what is left of the screen is a place to look from.
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

/** The same thing drawn anew, else what came instead, what follows, what stood before, and so on outwards. */
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

/** The takers of the first sibling that has any. */
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
