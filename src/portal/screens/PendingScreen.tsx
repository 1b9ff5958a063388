import { useScreenTitle } from '../title.ts'
import { Spinner } from '../ui/Spinner.tsx'

export const PendingScreen = () => (
  <output className="grid min-h-[50dvh] place-items-center text-dim">
    <Spinner size={22} />
    <span className="sr-only">Loading</span>
  </output>
)

/** The same, under a title of its own: what the screen shows is not known yet, but what it is for is. */
export const pendingAs = (title: string) =>
  function Pending() {
    useScreenTitle(title)
    return <PendingScreen />
  }
