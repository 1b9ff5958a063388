import { useState } from 'react'
import { cx } from './class-names.ts'
import { CopyButton } from './Copyable.tsx'

export interface Snippet {
  /** The language or the software it is for: `BIRD 2`, `FRR`. */
  readonly label: string
  readonly text: string
}

/** Text to copy exactly as shown, in one or several dialects. */
export function CodeBlock({
  snippets,
  label,
  wraps = false,
}: {
  snippets: readonly Snippet[]
  label: string
  /** For text in which line ends have no meaning: on a phone all of it shows at once. */
  wraps?: boolean
}) {
  const [chosen, setChosen] = useState(snippets[0]?.label)
  const current = snippets.find((snippet) => snippet.label === chosen) ?? snippets[0]
  if (!current) return null
  const variant = cx('overflow-x-auto px-3 py-2.5 text-sm leading-relaxed', wraps && 'whitespace-pre-wrap')
  return (
    <figure aria-label={label} className="overflow-hidden rounded-md border border-line bg-sunken">
      <figcaption className="flex h-9 items-center justify-between gap-2 border-b border-line pr-1 pl-1.5">
        {snippets.length > 1 ? (
          <div role="radiogroup" aria-label="Dialect" className="flex gap-0.5 overflow-x-auto">
            {snippets.map((snippet) => (
              <label
                key={snippet.label}
                className="flex h-6.5 items-center rounded-sm px-2 text-xs font-medium whitespace-nowrap text-dim hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:ring-1 has-checked:ring-line-strong has-focus-visible:outline-2 has-focus-visible:outline-accent"
              >
                <input
                  type="radio"
                  className="sr-only"
                  checked={snippet === current}
                  onChange={() => setChosen(snippet.label)}
                />
                {snippet.label}
              </label>
            ))}
          </div>
        ) : (
          <span className="px-1.5 text-xs font-medium text-dim">{current.label}</span>
        )}
        <CopyButton text={current.text} label={`Copy ${current.label}`} />
      </figcaption>
      {/* A region that scrolls must be reachable without a mouse. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} className={variant}>
        <code>{current.text}</code>
      </pre>
    </figure>
  )
}
