/** Checks a page against WCAG 2.2 AA, in both themes and at both widths. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { picture } from '../browser.ts'

const AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const WIDTHS = [
  ['wide', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const
const THEMES = ['light', 'dark'] as const

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
      const axe = new AxeBuilder({ page }).setLegacyMode(true)
      const look = theme === 'light' ? axe.withTags(AA) : axe.withRules(['color-contrast', 'link-in-text-block'])
      const { violations } = await look.analyze()
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })),
      )
      expect.soft(found, `${name}, ${width}, ${theme}`).toEqual([])
      await picture(page, `${name}-${width}-${theme}`)
    }
    const sideways = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect.soft(sideways, `${name} scrolls sideways, ${width}`).toBe(0)
  }
}

/** Colors fade from one theme to the other: a check in between sees neither. */
const settle = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
    resolve(Promise.allSettled(document.getAnimations().filter((animation) =>
      animation.effect?.getComputedTiming().endTime !== Infinity).map((animation) => animation.finished))))))`)
