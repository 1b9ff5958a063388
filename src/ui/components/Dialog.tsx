import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { IconButton } from './Button.tsx'

export interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
  /** Its buttons, the main action last. */
  readonly footer?: ReactNode
  readonly width?: 'sm' | 'md' | 'lg'
  /** Only its own buttons close it: its content cannot be shown again. */
  readonly insistent?: boolean
}

const WIDTHS = { sm: 'max-w-sm', md: 'max-w-lg', lg: 'max-w-3xl' }

/** The browser's modal dialog: it keeps the focus, returns it, and closes on Escape. */
export function Dialog({ open, onClose, title, children, footer, width = 'md', insistent = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const hidden = useRef(false)
  const heading = useId()
  // Before the element leaves the page: only a closed dialog returns the focus to where it was.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    if (element) startWithin(element)
    return () => {
      // React also runs this while a sibling suspends, and twice in strict mode, when the user has not closed it. Its
      // close event arrives later, when the dialog may be open again.
      hidden.current = element?.open ?? false
      element?.close()
    }
  }, [open])
  if (!open) return null
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onClose={() => {
        if (!hidden.current) onClose()
        hidden.current = false
      }}
      onCancel={(event) => {
        event.preventDefault()
        if (!insistent) onClose()
      }}
      closedby={insistent ? 'none' : 'any'}
      className={`m-auto max-h-[min(44rem,calc(100dvh-2rem))] w-[calc(100vw-2rem)] ${WIDTHS[width]} overflow-hidden rounded-lg border border-line-strong bg-surface p-0 text-ink shadow-(--shadow)`}
    >
      <div className="flex max-h-[inherit] flex-col">
        <header className="flex items-center justify-between min-h-11 gap-4 border-b border-line py-2 pr-2 pl-4">
          <h2 id={heading} tabIndex={-1} className="text-base font-semibold wrap-anywhere">
            {title}
          </h2>
          {!insistent && <IconButton icon="cross" label="Close" onClick={onClose} />}
        </header>
        <div className="scroll-pb-16 overflow-y-auto p-4">{children}</div>
        {footer && (
          <footer className="flex flex-wrap justify-end gap-2 border-t border-line bg-sunken px-4 py-3">
            {footer}
          </footer>
        )}
      </div>
    </dialog>
  )
}

/**
 * The browser focuses the first button, which closes the dialog. A form starts at its first field where that opens no
 * on-screen keyboard; other content starts at its heading.
 */
function startWithin(dialog: HTMLDialogElement): void {
  const heading = dialog.querySelector('h2')
  if (!heading?.parentElement?.contains(document.activeElement)) return
  const field = matchMedia('(pointer: fine)').matches
    ? dialog.querySelector<HTMLElement>('form :is(input, select, textarea):not([hidden], [readonly])')
    : null
  ;(field ?? heading).focus()
}
