/** Line icons on a 16-unit grid. They decorate text and never appear without a label. */
const PATHS = {
  router:
    'M2.5 9.5h11v3.5h-11zM4.75 11.25h.01M7.25 11.25h.01M8 9.5V7M5.5 5.25a3.6 3.6 0 0 1 5 0M3.75 3.25a6.2 6.2 0 0 1 8.5 0',
  transit:
    'M2 11.5h3.2c2 0 2.8-1 2.8-2.6V7.1c0-1.6.8-2.6 2.8-2.6H14M11.6 2.2 14 4.5l-2.4 2.3M4 11.5a1 1 0 1 1-2 0 1 1 0 0 1 2 0z',
  billing: 'M2 4h12v8.5H2zM2 6.75h12M4.5 10h2.5',
  settings: 'M2.5 4.5h6M11.5 4.5h2M10 3v3M2.5 11.5h2M7.5 11.5h6M6 10v3',
  badge: 'M3 4h10v9.5H3zM6.5 4V2.25h3V4M8 8.75a1.25 1.25 0 1 0 0-2.5 1.25 1.25 0 0 0 0 2.5zM5.75 11.25h4.5',
  audit: 'M2.5 3.5h8M2.5 7h5M2.5 10.5h3M11 14a3.25 3.25 0 1 0 0-6.5 3.25 3.25 0 0 0 0 6.5zM11 9.25v1.6l1.1.8',
  users:
    'M6 7.25a2.35 2.35 0 1 0 0-4.7 2.35 2.35 0 0 0 0 4.7zM1.75 13.25c.2-2.3 1.9-3.75 4.25-3.75s4.05 1.45 4.25 3.75M10.6 2.8a2.2 2.2 0 0 1 0 4.2M12 9.8c1.4.5 2.2 1.7 2.35 3.45',
  prefix: 'M3 3.5h10M3 8h6.5M3 12.5h3.5M12.25 8h.01M9.5 12.5h.01',
  inventory: 'M2.5 8.5h5v5h-5zM8.5 8.5h5v5h-5zM5.5 2.5h5v5h-5z',
  gauge: 'M2.25 11.5a5.9 5.9 0 1 1 11.5 0M8 10.5l2.75-3.25M8 10.5h.01',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4 14 14',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5l3.25 3.25L13 4.75',
  cross: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  chevron: 'M4 6l4 4 4-4',
  right: 'M6 3.5 10.5 8 6 12.5',
  up: 'M8 13V3.5M4 7l4-4 4 4',
  down: 'M8 3v9.5M4 9l4 4 4-4',
  sort: 'M5.25 6.5 8 3.75l2.75 2.75M5.25 9.5 8 12.25l2.75-2.75',
  more: 'M8 3.5h.01M8 8h.01M8 12.5h.01',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  sun: 'M8 10.75a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7',
  moon: 'M13.25 9.6A5.6 5.6 0 0 1 6.4 2.75a5.6 5.6 0 1 0 6.85 6.85z',
  screen: 'M2 3h12v8H2zM6 13.5h4M8 11v2.5',
  help: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.25 6.25A1.8 1.8 0 1 1 8.9 7.9c-.6.35-.9.7-.9 1.35M8 11.5h.01',
  exit: 'M9.5 5V2.5h-7v11h7V11M6.5 8h7.5M11.5 5.5 14 8l-2.5 2.5',
  mail: 'M2 3.5h12v9H2zM2.25 4 8 8.75 13.75 4',
  external: 'M9 2.75h4.25V7M13 3 7.5 8.5M11 9.5v3.75H2.75V5H6.5',
  refresh: 'M13 4v3h-3M13 7a5.4 5.4 0 1 0 .2 2.6',
  terminal: 'M2 3h12v10H2zM4.75 6.25 6.75 8l-2 1.75M8.25 10h2.75',
  trash: 'M2.75 4.25h10.5M6 4V2.5h4V4M4 4.5l.6 9h6.8l.6-9',
  warning: 'M8 2.25 14.25 13H1.75zM8 6.5v3M8 11.25h.01',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.25v3.5M8 5.25h.01',
  power: 'M8 2v5.5M5 3.75a5.25 5.25 0 1 0 6 0',
  download: 'M8 2.5v7.25M5 7l3 3 3-3M2.75 12.75h10.5',
  play: 'M5 3l7.5 5L5 13z',
  edit: 'M3 13h2.25l7.5-7.5-2.25-2.25L3 10.75zM9 4.75 11.25 7',
  key: 'M10.25 8.75a3 3 0 1 0-2.9-2.25L2.5 11.35V13.5h2.15V12h1.5v-1.5h1.5l.85-.85M10.75 5.25h.01',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 16, className }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2 : 1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      className={`shrink-0 ${className ?? ''}`}
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
