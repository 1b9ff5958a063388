/** Returns how much of the current month has passed, from 0 to 1, in UTC like the invoices. */
export function passedOfMonth(now: Date): number {
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
  return (now.getTime() - start) / (end - start)
}
