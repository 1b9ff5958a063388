/** The hidden mode of staff: while it is on, the timings of this tab's requests are kept over reloads. */
import { clearProfiles } from './profile-storage.ts'
import { STAFF_TOOLS_KEY } from './staff-tools-key.ts'
import { createStoredFlag } from './stored-flag.ts'

declare global {
  interface Window {
    /** For the console: `staffTools('on')`, `'off'`, `'toggle'`; answers whether they are on now. */
    staffTools?: (command?: StaffToolsCommand) => boolean
  }
}

export type StaffToolsCommand = 'on' | 'off' | 'toggle'

export const staffTools = createStoredFlag(STAFF_TOOLS_KEY)

export function setStaffTools(command: StaffToolsCommand = 'toggle'): boolean {
  const on = command === 'toggle' ? !staffTools.current() : command === 'on'
  staffTools.set(on)
  return on
}

window.staffTools = setStaffTools

// Another tab may have switched them off: what this one stored goes as well.
staffTools.subscribe(() => {
  if (!staffTools.current()) clearProfiles()
})
