/**
 * Parses a value of the address for the router. JSON would read `?search=45.30` as the number 45.3 and `1e5` as 100000,
 * so only text in JavaScript's own number format becomes a number.
 */
export function parseSearchValue(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'number' && String(value) !== text) throw new SyntaxError(`not a number: ${text}`)
  return value
}
