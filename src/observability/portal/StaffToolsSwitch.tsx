import { useSyncExternalStore } from 'react'
import { setStaffTools, staffTools } from './staff-tools.ts'

export function StaffToolsSwitch() {
  const on = useSyncExternalStore(staffTools.subscribe, staffTools.current)
  return (
    <label
      className="inline-flex items-center gap-1.5 text-dim"
      title="Keeps this tab’s timings across reloads. Turning it off deletes them."
    >
      <input type="checkbox" checked={on} onChange={() => setStaffTools(on ? 'off' : 'on')} className="size-3.5" />
      Staff tools
    </label>
  )
}
