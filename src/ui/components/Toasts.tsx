import { useEffect, useRef, useState, type ComponentType, type ReactNode, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { buttonClass } from './button-variants.ts'
import { Button, IconButton } from './Button.tsx'
import { Icon, type IconName } from './Icon.tsx'

export interface Toast {
  readonly id: number
  readonly type: 'error' | 'success' | 'info'
  readonly title: string
  readonly body?: string
  readonly detail?: string | null
  readonly reference?: string | null
  readonly action?:
    | { readonly label: string; readonly handler: () => void }
    | { readonly label: string; readonly to: '/billing' }
}

export interface ToastsProps {
  readonly toasts: readonly Toast[]
  /** The same function at each render: a new one starts the time of a toast again. */
  readonly onDismiss: (id: number) => void
  readonly Link: ComponentType<{ readonly to: '/billing'; readonly className: string; readonly children: ReactNode }>
}

/**
 * Long enough to be read twice. Failures and toasts with an action stay until they are dismissed or the page changes.
 */
const SUCCESS_STAYS_MS = 6_000

const MARKS: Record<Toast['type'], { icon: IconName; color: string }> = {
  error: { icon: 'warning', color: 'text-bad' },
  success: { icon: 'check', color: 'text-ok' },
  info: { icon: 'info', color: 'text-accent' },
}

/**
 * Notifications in the corner. They are in the browser's top layer, because an open dialog would otherwise hide a
 * failure that its own button caused. They are inside that dialog, because everything outside a modal one is inert.
 */
export function Toasts({ toasts, onDismiss, Link }: ToastsProps) {
  const [place] = useState(liveRegion)
  const layer = useRef<HTMLElement>(null)
  useTopLayer(place, layer, toasts)
  return createPortal(
    <section
      ref={layer}
      popover="manual"
      aria-label="Notifications"
      className="fixed inset-auto right-4 bottom-4 m-0 w-[min(23rem,calc(100vw-2rem))] bg-transparent p-0 text-ink max-md:bottom-18 [body:has([data-bar])_&]:bottom-24 max-md:[body:has([data-bar])_&]:bottom-52"
    >
      <ul className="grid gap-2">
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} onDismiss={onDismiss} Link={Link} />
        ))}
      </ul>
    </section>,
    place,
  )
}

/** Exists before its first text: a region that appears together with its text is not announced. */
function liveRegion(): HTMLElement {
  const region = document.createElement('div')
  region.ariaLive = 'polite'
  return region
}

/** Moved and shown again with each change and each dialog that opens or closes, so that it stays on top. */
function useTopLayer(place: HTMLElement, layer: RefObject<HTMLElement | null>, toasts: readonly Toast[]): void {
  useEffect(() => {
    const rise = () => {
      const top = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
      if (place.parentNode !== top) top.append(place)
      layer.current?.hidePopover()
      if (toasts.length > 0) layer.current?.showPopover()
    }
    rise()
    const dialogs = new MutationObserver(rise)
    dialogs.observe(document.body, { subtree: true, attributeFilter: ['open'] })
    return () => dialogs.disconnect()
  }, [place, layer, toasts])
}

function ToastItem({ toast, onDismiss, Link }: Omit<ToastsProps, 'toasts'> & { readonly toast: Toast }) {
  const { icon, color } = MARKS[toast.type]
  useEffect(() => {
    if (toast.type !== 'success' || toast.action) return
    const timer = setTimeout(() => onDismiss(toast.id), SUCCESS_STAYS_MS)
    return () => clearTimeout(timer)
  }, [toast, onDismiss])
  return (
    <li className="flex items-start gap-2.5 rounded-md border border-line-strong bg-surface py-2.5 pr-1.5 pl-3 text-sm shadow-(--shadow)">
      <Icon name={icon} className={`mt-0.5 ${color}`} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{toast.title}</p>
        {toast.body && <p className="text-dim">{toast.body}</p>}
        {toast.detail && <p className="mt-1 text-ink wrap-anywhere">{toast.detail}</p>}
        {toast.reference && (
          <p className="mt-1 font-mono text-xs text-faint wrap-anywhere">Request {toast.reference}</p>
        )}
        {toast.action &&
          ('to' in toast.action ? (
            <Link to={toast.action.to} className={buttonClass('plain', 'sm', 'mt-2')}>
              {toast.action.label}
            </Link>
          ) : (
            <Button size="sm" className="mt-2" onClick={toast.action.handler}>
              {toast.action.label}
            </Button>
          ))}
      </div>
      <IconButton icon="cross" label="Dismiss" onClick={() => onDismiss(toast.id)} className="size-6" />
    </li>
  )
}
