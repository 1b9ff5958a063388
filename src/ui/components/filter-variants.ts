/** The style of a filter, whether link or button; `here` and `aria-pressed` mark the active one. */
export const FILTER_BADGE =
  'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2.5 text-sm font-medium whitespace-nowrap text-dim hover:bg-hover hover:text-ink pointer-coarse:h-10 here:bg-accent-soft here:text-accent aria-pressed:bg-accent-soft aria-pressed:text-accent'
