/**
 * Called by drivers immediately before something leaves the process: a call to libvirt, a command to BIRD, a rename of a file
 * that another program reads. The server's leases set the guard; it throws when the caller works under a lease that ended.
 */
let guard: () => void = () => undefined

export const beforeEffect = (): void => guard()

export function setEffectGuard(next: () => void): void {
  guard = next
}
