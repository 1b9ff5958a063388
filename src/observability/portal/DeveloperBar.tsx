import { Link } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { Kbd } from '../../ui/components/Kbd.tsx'
import { barDuration } from './bar-time.ts'
import { barShown } from './bar-shown.ts'
import { profiles } from './profiles.ts'
import { RequestPanel } from './RequestPanel.tsx'
import { StaffToolsSwitch } from './StaffToolsSwitch.tsx'
import { usePanelKeys } from './use-bar-keys.ts'

/** The bar below every screen, for staff: the cost of this page's requests. Backtick shows and hides it. */
export default function DeveloperBar() {
  const shown = useSyncExternalStore(barShown.subscribe, barShown.current)
  const entries = useSyncExternalStore(profiles.subscribe, profiles.current)
  const [open, setOpen] = useState(false)
  const [full, setFull] = useState(false)
  usePanelKeys(open ? { setOpen, setFull } : null)
  if (!shown) return null
  // All three cover the same requests as the panel.
  const requests = entries.length
  const queries = entries.reduce((sum, entry) => sum + entry.sql_count, 0)
  const spent = entries.reduce((sum, entry) => sum + entry.duration_milliseconds, 0)
  return (
    <aside
      aria-label="Developer bar"
      className="sticky bottom-0 z-30 border-t border-line-strong bg-sunken text-xs max-md:bottom-14"
    >
      {open && <RequestPanel entries={entries} full={full} onFull={setFull} onClose={() => setOpen(false)} />}
      <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1 px-4 md:px-8">
        <Link to="/admin" className="link font-medium">
          Admin
        </Link>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="num flex h-7 items-center gap-3 rounded-sm px-1.5 hover:bg-hover"
        >
          <Counter value={String(queries)} unit={queries === 1 ? 'query' : 'queries'} />
          <Counter value={barDuration(spent)} unit="spent" />
          <Counter value={String(requests)} unit={requests === 1 ? 'API request' : 'API requests'} />
        </button>
        <span className="ml-auto flex items-center gap-3">
          <StaffToolsSwitch />
          <span className="flex items-center gap-1 text-faint max-lg:hidden">
            <Kbd>`</Kbd> hides
          </span>
        </span>
      </div>
    </aside>
  )
}

const Counter = ({ value, unit }: { value: string; unit: string }) => (
  <span>
    <span className="font-semibold">{value}</span> <span className="text-faint">{unit}</span>
  </span>
)
