/**
 * How the router reads a value in the address. JSON would read `?search=45.30` as the number 45.3 and `1e5` as 100000: a
 * number counts as one only when it is written as JavaScript writes it.
 */
export function parseSearchValue(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'number' && String(value) !== text) throw new SyntaxError(`not a number: ${text}`)
  return value
}
