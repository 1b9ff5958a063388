/** How much of the running month has passed, 0 to 1, by UTC as the bills count it. */
export function passedOfMonth(now: Date): number {
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
  return (now.getTime() - start) / (end - start)
}
