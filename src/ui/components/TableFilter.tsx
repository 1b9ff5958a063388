import { Icon } from './Icon.tsx'
import { Kbd } from './Kbd.tsx'

/** The filter of a table. `/` focuses it from anywhere on the page; Escape empties it, then leaves it. */
export function TableFilter({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (text: string) => void
}) {
  return (
    <div className="relative min-w-48 max-w-96 flex-1">
      <Icon name="search" size={14} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-faint" />
      <input
        type="search"
        data-table-filter
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={value}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (value === '') event.currentTarget.blur()
          else onChange('')
          event.preventDefault()
        }}
        className="h-8 w-full rounded-md border border-line-strong bg-surface pr-8 pl-8 truncate text-sm placeholder:text-faint hover:border-edge focus-visible:outline-offset-0 pointer-coarse:h-10 [&::-webkit-search-cancel-button]:hidden"
      />
      {value === '' && (
        <span
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-1.5 -translate-y-1/2 pointer-coarse:hidden"
        >
          <Kbd>/</Kbd>
        </span>
      )}
    </div>
  )
}
