import { productName } from '../runtime/page-settings.ts'

/** On whole units of sixteen, so that the smallest icon is sharp too. */
const LINE = 'M4 12h1.5A2.5 2.5 0 0 0 8 9.5v-3A2.5 2.5 0 0 1 10.5 4H12'

/** Two ends and the haul between them. */
export const Wordmark = () => (
  <span className="inline-flex items-center gap-2.5 text-lg font-semibold tracking-[-0.01em] text-ink">
    <svg viewBox="0 0 16 16" width="22" height="22" fill="none" aria-hidden className="shrink-0">
      <rect width="16" height="16" rx="4" fill="var(--accent-fill)" />
      <path d={LINE} stroke="#fff" strokeWidth="2" />
      <circle cx="4" cy="12" r="2" fill="#fff" />
      <circle cx="12" cy="4" r="2" fill="#fff" />
    </svg>
    {productName}
  </span>
)
