/**
 * For a page that parses its part of the address itself, so that the parser loads with the page and not with the first
 * load. The page gets the raw values, and its parser leaves out what is invalid.
 */
export const deferSearchParsing =
  <Search extends object>() =>
  (search: Record<string, unknown>): Search =>
    search as Search
