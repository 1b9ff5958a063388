/**
 * Drivers call this immediately before something leaves the process: a call to libvirt, a command to BIRD, a rename of
 * a file that another program reads. Leases of the server and of an agent each add a guard. The guard throws when the
 * caller's lease has ended.
 */
const guards = new Set<() => void>()

export const beforeEffect = (): void => {
  for (const guard of guards) guard()
}

/** Returns a function that removes the guard. */
export function addEffectGuard(guard: () => void): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}
