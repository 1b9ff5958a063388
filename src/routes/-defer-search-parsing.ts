/**
 * For a screen that reads its part of the address itself, so that the rules for it are fetched with the screen and
 * not with everybody's first. What it gets is as the address says it: the screen's reader leaves out what does not fit.
 */
export const deferSearchParsing =
  <Search extends object>() =>
  (search: Record<string, unknown>): Search =>
    search as Search
