/**
 * `Promise.all` that waits for every answer before it fails: two that are both absent make one 404 page, and the second
 * does not tell of itself on a page that stands already.
 */
export async function settleAll<T extends readonly unknown[]>(asked: {
  readonly [K in keyof T]: Promise<T[K]>
}): Promise<T> {
  await Promise.allSettled(asked)
  return Promise.all(asked) as Promise<T>
}
