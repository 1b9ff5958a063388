/**
 * Called by drivers immediately before something leaves the process: a call to libvirt, a command to BIRD, a rename of a file
 * that another program reads. Leases of the server and of an agent add a guard each; it throws when the caller works under a
 * lease that ended.
 */
const guards: (() => void)[] = []

export const beforeEffect = (): void => {
  for (const guard of guards) guard()
}

export function addEffectGuard(guard: () => void): void {
  guards.push(guard)
}
