import { Spinner } from '../components/Spinner.tsx'

export const PendingScreen = () => (
  <output className="grid min-h-[50dvh] place-items-center text-dim">
    <Spinner size={22} />
    <span className="sr-only">Loading</span>
  </output>
)
