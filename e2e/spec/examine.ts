/** Checks a page against WCAG 2.2 AA, in both themes and at both widths. */
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { picture } from '../browser.ts'

const AA: RunOptions = { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } }
const COLORS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }
const WIDTHS = [
  ['wide', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const
const THEMES = ['light', 'dark'] as const
/** A tablet upright, and the narrowest window with the sidebar and a table beside it. */
const BETWEEN = [768, 1024] as const

const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** The properties of a table that end before its right side, without another one beside them. */
const HALF_ROWS = `[...document.querySelectorAll('main dl.bg-line > div')]
  .filter((item) => {
    const end = item.getBoundingClientRect().right
    const next = item.nextElementSibling
    return end < item.parentElement.getBoundingClientRect().right - 2 && next?.offsetTop !== item.offsetTop
  })
  .map((item) => item.innerText)`

/**
 * Checks the page in its current state: the whole rule set at each width, and rules that depend on colors again in the
 * dark theme.
 */
export async function examine(page: Page, name: string): Promise<void> {
  for (const [width, viewport] of WIDTHS) {
    await page.setViewportSize(viewport)
    for (const theme of THEMES) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      await settle(page)
      const { violations } = await runAxe(page, theme === 'light' ? AA : COLORS)
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })),
      )
      expect.soft(found, `${name}, ${width}, ${theme}`).toEqual([])
      await picture(page, `${name}-${width}-${theme}`)
    }
    expect.soft(await page.evaluate(SIDEWAYS), `${name} scrolls sideways, ${width}`).toBe(0)
    expect.soft(await page.evaluate(HALF_ROWS), `${name}: properties beside a hole, ${width}`).toEqual([])
  }
  for (const width of BETWEEN) {
    await page.setViewportSize({ width, height: 900 })
    expect.soft(await page.evaluate(SIDEWAYS), `${name} scrolls sideways, ${width} pixels wide`).toBe(0)
  }
}

/** Runs axe-core in the page, which keeps it until it is loaded again. The portal has no frames. */
async function runAxe(page: Page, rules: RunOptions): Promise<AxeResults> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source)
  // Without the elements that passed, which are thousands on a long list.
  return page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify({ ...rules, resultTypes: ['violations'] })})`)
}

/** Without transitions, which start level by level where a color is inherited: a check in between sees neither theme. */
const settle = (page: Page): Promise<unknown> =>
  page.evaluate(`(async () => {
    if (!globalThis.withoutTransitions) {
      globalThis.withoutTransitions = new CSSStyleSheet()
      globalThis.withoutTransitions.replaceSync('*, ::before, ::after { transition: none !important }')
      document.adoptedStyleSheets.push(globalThis.withoutTransitions)
    }
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await Promise.allSettled(document.getAnimations().filter((animation) =>
      animation.effect?.getComputedTiming().endTime !== Infinity).map((animation) => animation.finished))
  })()`)
