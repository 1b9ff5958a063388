/**
 * A sentence beside the hovered or focused element, in the top layer so that no table clips it. It is always the
 * element's accessible description, shown or not.
 */
import {
  useEffect,
  useId,
  useRef,
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'

export interface Tip {
  /** Spread on the element it describes. */
  readonly trigger: {
    readonly 'aria-describedby'?: string
    readonly style?: CSSProperties
    readonly onPointerEnter?: () => void
    readonly onPointerLeave?: () => void
    readonly onFocus?: (event: FocusEvent) => void
    readonly onBlur?: () => void
    readonly onKeyDown?: (event: KeyboardEvent) => void
  }
  /** Render beside it. */
  readonly popup: ReactNode
}

const SHOW_AFTER_MS = 250

export function useTip(text: string | null | undefined): Tip {
  const id = useId()
  const popup = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (!text) return { trigger: {}, popup: null }

  const show = (after: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => popup.current?.showPopover(), after)
  }
  const hide = () => {
    clearTimeout(timer.current)
    popup.current?.hidePopover()
  }
  const anchor = `--tip-${id.replaceAll(/\W/g, '')}`
  return {
    trigger: {
      'aria-describedby': id,
      style: { anchorName: anchor } as CSSProperties,
      onPointerEnter: () => show(SHOW_AFTER_MS),
      onPointerLeave: hide,
      // A dialog that opens focuses its first button: an unrequested tip would only be in the way.
      onFocus: (event) => {
        if (event.currentTarget.matches(':focus-visible')) show(0)
      },
      onBlur: hide,
      onKeyDown: (event) => {
        if (event.key === 'Escape') hide()
      },
    },
    popup: (
      <span
        ref={popup}
        id={id}
        role="tooltip"
        popover="manual"
        className="tip"
        style={{ positionAnchor: anchor } as CSSProperties}
      >
        {text}
      </span>
    ),
  }
}
