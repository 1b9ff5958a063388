import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'

export interface Tab {
  readonly id: string
  readonly label: ReactNode
  readonly content: ReactNode
}

/** Tabs after the ARIA Authoring Practices: one stop for Tab, arrows between them, and the panel follows the focus. */
export function Tabs({
  tabs,
  label,
  selected,
  onSelect,
}: {
  tabs: readonly Tab[]
  label: string
  selected?: string
  onSelect?: (id: string) => void
}) {
  const base = useId()
  const [own, setOwn] = useState(tabs[0]?.id)
  const list = useRef<HTMLDivElement>(null)
  const current = tabs.find((tab) => tab.id === (selected ?? own)) ?? tabs[0]
  const currentId = current?.id
  // A phone has no room for all of them: the open one is scrolled fully into view.
  useEffect(() => {
    const button = currentId && list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(currentId)}"]`)
    const row = list.current
    if (!button || !row || row.scrollWidth <= row.clientWidth) return
    row.scrollLeft = button.offsetLeft - row.offsetLeft - (row.clientWidth - button.offsetWidth) / 2
  }, [currentId])
  if (!current) return null

  const select = (id: string) => {
    setOwn(id)
    onSelect?.(id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.indexOf(current)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    const next = to === undefined ? undefined : tabs.at(to % tabs.length)
    if (!next) return
    event.preventDefault()
    select(next.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus()
  }
  return (
    <div>
      <div ref={list} role="tablist" aria-label={label} className="flex gap-5 overflow-x-auto border-b border-line">
        {tabs.map((tab) => {
          const on = tab === current
          return (
            <button
              key={tab.id}
              type="button"
              role="tab"
              data-tab={tab.id}
              id={`${base}-${tab.id}-tab`}
              aria-selected={on}
              aria-controls={`${base}-panel`}
              tabIndex={on ? 0 : -1}
              onClick={() => select(tab.id)}
              onKeyDown={onKeyDown}
              className={`-mb-px h-9 border-b-2 text-sm font-medium whitespace-nowrap focus-visible:-outline-offset-2 pointer-coarse:h-11 ${on ? 'border-accent text-ink' : 'border-transparent text-dim hover:text-ink'}`}
            >
              {tab.label}
            </button>
          )
        })}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${current.id}-tab`} className="pt-4">
        {current.content}
      </div>
    </div>
  )
}
