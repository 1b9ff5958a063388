/** Describes what is missing from `actual` and what is extra; a value that occurs twice is extra once. */
export function differences(of: string, expected: Iterable<string>, actual: Iterable<string>): string[] {
  const left = [...actual]
  const missing: string[] = []
  for (const value of expected) {
    const at = left.indexOf(value)
    if (at === -1) missing.push(value)
    else left.splice(at, 1)
  }
  return [
    ...missing.map((value) => `${of}: ${value} is missing`),
    ...left.map((value) => `${of}: ${value} is there and should not be`),
  ]
}
