/**
 * Like `Promise.all`, but waits for every result before it fails. Two that are both absent make one 404 page, and the
 * second shows no notification on top of it.
 */
export async function settleAll<T extends readonly unknown[]>(asked: {
  readonly [K in keyof T]: Promise<T[K]>
}): Promise<T> {
  await Promise.allSettled(asked)
  return Promise.all(asked) as Promise<T>
}
