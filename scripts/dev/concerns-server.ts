const SOURCES = /\.(ts|sql|bird|graphql)$/
/** Files that only Vite reads, or that the server never reads. */
const OTHERS = [/^(ui|routes)\//, /^[^/]+\/portal\//, /\.test\.ts$/, /(^|\/)testing[^/]*\.ts$/, /(^|\/)golden\//]

/** Returns whether the running server has read a changed file, given by its path below `src`. */
export const concernsServer = (file: string): boolean =>
  SOURCES.test(file) && !OTHERS.some((pattern) => pattern.test(file))
