import type { PaletteItem } from '../../ui/runtime/palette.ts'
import { barShown } from './bar-shown.ts'
import { setStaffTools, staffTools } from './staff-tools.ts'

export function developerItems(): readonly PaletteItem[] {
  return [
    {
      id: 'developer-bar',
      label: barShown.current() ? 'Hide the developer bar' : 'Show the developer bar',
      group: 'Admin',
      icon: 'gauge',
      hint: '`',
      keywords: 'profiler timings sql requests',
      run: () => barShown.set(!barShown.current()),
    },
    {
      id: 'staff-tools',
      label: staffTools.current() ? 'Switch staff tools off' : 'Switch staff tools on',
      group: 'Admin',
      icon: 'settings',
      keywords: 'profiler timings keep',
      run: () => void setStaffTools('toggle'),
    },
  ]
}
