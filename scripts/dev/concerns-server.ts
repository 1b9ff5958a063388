const SOURCES = /\.(ts|sql|bird|graphql)$/
/** Vite's own business, or nobody's who serves. */
const OTHERS = [/^(ui|routes)\//, /^[^/]+\/portal\//, /\.test\.ts$/, /(^|\/)testing[^/]*\.ts$/, /(^|\/)golden\//]

/** Whether a changed file, by its path below `src`, is one that the running server has read. */
export const concernsServer = (file: string): boolean =>
  SOURCES.test(file) && !OTHERS.some((pattern) => pattern.test(file))
