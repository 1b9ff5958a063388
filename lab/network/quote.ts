/** Returns a path as a BIRD string, which has no escapes. */
export function quote(path: string): string {
  if (!/^[ !#-~]{1,400}$/.test(path) || path.includes('\\'))
    throw new Error(`BIRD cannot be told of the path ${path}: use a data directory of plain ASCII without quotes`)
  return `"${path}"`
}
