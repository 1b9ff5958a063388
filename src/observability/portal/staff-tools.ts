/**
 * The hidden mode of staff: while it is on, the timings of this tab's requests survive reloads. The flag alone switches
 * it on every screen; the server decides who gets which timings.
 */
import { clearProfiles } from './profile-keys.ts'
import { createStoredFlag } from './stored-flag.ts'

declare global {
  interface Window {
    /** For the console: `staffTools('on')`, `'off'`, `'toggle'`; returns whether they are on now. */
    staffTools?: (command?: StaffToolsCommand) => boolean
  }
}

export type StaffToolsCommand = 'on' | 'off' | 'toggle'

/** In local storage: `on` or absent. */
export const staffTools = createStoredFlag('staff-tools')

export function setStaffTools(command: StaffToolsCommand = 'toggle'): boolean {
  const on = command === 'toggle' ? !staffTools.current() : command === 'on'
  staffTools.set(on)
  return on
}

/** Defines the global, and loads the profiler when it is first switched on. */
export function offerStaffTools(loadProfiler: () => Promise<unknown>): void {
  window.staffTools = setStaffTools
  const follow = () => {
    if (staffTools.current()) loadProfiler().catch(() => undefined)
    // Another tab may have switched them off: delete this tab's timings too.
    else clearProfiles()
  }
  staffTools.subscribe(follow)
  if (staffTools.current()) follow()
}
