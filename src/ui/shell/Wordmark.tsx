import { productName } from '../runtime/page-settings.ts'

/** Two ends and the haul between them. */
export const Wordmark = () => (
  <span className="inline-flex items-center gap-2.5 text-lg font-semibold tracking-[-0.01em] text-ink">
    <svg viewBox="0 0 32 32" width="22" height="22" fill="none" aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="7" fill="var(--accent-fill)" />
      <path
        d="M8 23.5h7.2c3 0 4.6-1.6 4.6-4.4v-6.2c0-2.8 1.6-4.4 4.2-4.4"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <circle cx="8.2" cy="23.5" r="2.9" fill="#fff" />
      <circle cx="24" cy="8.5" r="2.9" fill="#fff" />
    </svg>
    {productName}
  </span>
)
