/* A combobox over a list, after the ARIA Authoring Practices: no element of HTML has these roles and can hold icons. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role */
import { useRouter } from '@tanstack/react-router'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import {
  searchPalette,
  withFound,
  type PaletteItem,
  type PaletteSearch,
  type PaletteSource,
} from '../runtime/palette.ts'
import { worksAsStaff, type CurrentUser } from '../runtime/session.ts'
import { reportError } from '../runtime/report-error.ts'
import { Icon } from '../components/Icon.tsx'
import { Kbd } from '../components/Kbd.tsx'
import { frameItems } from './frame-items.ts'
import type { Overlay } from './frame-props.ts'
import { usePaletteSearch } from './use-palette-search.ts'

/** Props from the app frame. */
export interface PaletteProps {
  readonly onClose: () => void
  readonly onOpen: (overlay: Overlay) => void
  readonly onSignOut: () => void
  readonly user: CurrentUser
}

interface CommandPaletteProps extends PaletteProps {
  readonly sources: readonly PaletteSource[]
  readonly search?: PaletteSearch | undefined
}

export default function CommandPalette({ onClose, onOpen, onSignOut, sources, search, user }: CommandPaletteProps) {
  const staff = worksAsStaff(user)
  const router = useRouter()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const fetched = useSources(sources, staff)
  const own = useMemo(() => frameItems(user, onOpen, onSignOut), [user, onOpen, onSignOut])
  const found = usePaletteSearch(search, typed, staff)
  const items = useMemo(
    () => withFound(searchPalette([...own, ...fetched], typed), found),
    [own, fetched, found, typed],
  )
  const current = items[Math.min(at, items.length - 1)]

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  useEffect(() => {
    if (current) document.getElementById(`${list}-${current.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [current, list])

  const choose = (item: PaletteItem) => {
    onClose()
    if (item.href !== undefined) router.history.push(item.href)
    item.run?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key]
    if (
      to !== undefined &&
      items.length > 0 &&
      !(event.target instanceof HTMLInputElement && typed !== '' && (event.key === 'Home' || event.key === 'End'))
    ) {
      event.preventDefault()
      setAt(to % items.length)
    }
    if (event.key === 'Enter' && current) {
      event.preventDefault()
      choose(current)
    }
  }
  return (
    // The dialog handles the keys because the cursor never leaves the field: the list follows it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-label="Jump to"
      onClose={(event) => event.currentTarget.open || onClose()}
      closedby="any"
      onKeyDown={onKeyDown}
      className="mx-auto mt-[12dvh] mb-auto w-[min(38rem,calc(100vw-2rem))] overflow-hidden rounded-lg border border-line-strong bg-surface p-0 text-ink shadow-(--shadow)"
    >
      <div className="flex items-center gap-2.5 border-b border-line px-3.5">
        <Icon name="search" className="text-faint" />
        <input
          type="text"
          role="combobox"
          aria-label="Jump to"
          aria-expanded
          aria-controls={list}
          aria-activedescendant={current ? `${list}-${current.id}` : undefined}
          aria-autocomplete="list"
          placeholder="Go to a page, router, prefix or action"
          value={typed}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          className="h-12 w-full bg-transparent text-lg outline-none placeholder:text-faint"
        />
        <Kbd>Esc</Kbd>
      </div>
      <ul
        id={list}
        role="listbox"
        aria-label="Found"
        className="max-h-[min(24rem,55dvh)] overflow-y-auto overscroll-contain p-1.5"
      >
        {items.map((item, index) => (
          <Row
            key={item.id}
            id={`${list}-${item.id}`}
            item={item}
            on={item === current}
            onPoint={() => setAt(index)}
            onChoose={() => choose(item)}
          />
        ))}
      </ul>
      {items.length === 0 && <p className="px-4 pb-5 text-base text-dim">Nothing found.</p>}
    </dialog>
  )
}

function Row({
  id,
  item,
  on,
  onPoint,
  onChoose,
}: {
  id: string
  item: PaletteItem
  on: boolean
  onPoint: () => void
  onChoose: () => void
}) {
  return (
    // The field keeps the focus and handles the keys (aria-activedescendant).
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <li
      id={id}
      role="option"
      aria-selected={on}
      onPointerMove={onPoint}
      onClick={onChoose}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 text-base aria-selected:bg-accent-soft pointer-coarse:min-h-11"
    >
      <Icon name={item.icon} size={15} className="text-dim" />
      <span className="min-w-0 flex-1 truncate">
        {item.label}
        {item.hint && <span className="ml-2 text-sm text-faint">{item.hint}</span>}
      </span>
      <span className="text-xs text-faint">{item.group}</span>
      {item.keys && (
        <span aria-hidden className="flex gap-1 max-md:hidden">
          {item.keys.map((key) => (
            <Kbd key={key}>{key.toUpperCase()}</Kbd>
          ))}
        </span>
      )}
    </li>
  )
}

/** Sources arrive independently; one that fails is missing, and the rest stay. */
function useSources(sources: readonly PaletteSource[], staff: boolean): readonly PaletteItem[] {
  const [found, setFound] = useState<readonly (readonly PaletteItem[])[]>(() => sources.map(() => []))
  useEffect(() => {
    let gone = false
    sources.forEach((load, index) => {
      load({ staff })
        .then((items) => {
          if (!gone) setFound((before) => before.with(index, items))
        })
        .catch((error: unknown) => reportError(error, { operation: 'palette' }))
    })
    return () => {
      gone = true
    }
  }, [sources, staff])
  return useMemo(() => found.flat(), [found])
}
