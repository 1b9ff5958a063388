/**
 * Called by drivers immediately before something leaves the process: a call to libvirt, a command to BIRD, a rename of a file
 * that another program reads. Leases of the server and of an agent add a guard each; it throws when the caller works under a
 * lease that ended.
 */
const guards = new Set<() => void>()

export const beforeEffect = (): void => {
  for (const guard of guards) guard()
}

/** Returns what takes it away again. */
export function addEffectGuard(guard: () => void): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}
