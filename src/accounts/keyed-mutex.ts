/** Runs tasks with the same key one after another, within this process. Different keys do not wait for each other. */
const tails = new Map<string, Promise<unknown>>()

export function withKeyedMutex<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve()
  const result = before.then(work)
  const tail = result.catch(() => undefined)
  tails.set(key, tail)
  void tail.then(() => {
    if (tails.get(key) === tail) tails.delete(key)
  })
  return result
}
