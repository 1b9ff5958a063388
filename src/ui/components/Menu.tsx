import { lazy, Suspense, useState } from 'react'
import { buttonClass } from './button-variants.ts'
import { Icon } from './Icon.tsx'
import type { MenuProps } from './menu-entries.ts'

const loadBody = () => import('./MenuBody.tsx')
const MenuBody = lazy(loadBody)

/** The style of the button, with or without its menu. */
export const MENU_BUTTON = (text: string | undefined) =>
  buttonClass(text ? 'plain' : 'quiet', text ? 'md' : 'sm', text ? '' : 'w-7 px-0 pointer-coarse:min-w-10')

export const MenuTrigger = ({ text }: { text: string | undefined }) => (
  <>
    {text}
    <Icon name={text ? 'chevron' : 'more'} size={text ? 13 : 16} />
  </>
)

/** A menu of actions. Its code is fetched when a user reaches for it, so that a list full of menus costs nothing. */
export function Menu(props: MenuProps) {
  const [reached, setReached] = useState(false)
  const fetchBody = () => void loadBody()
  const face = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label={props.label}
      className={MENU_BUTTON(props.text)}
      onPointerEnter={fetchBody}
      onFocus={fetchBody}
      onClick={() => setReached(true)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        setReached(true)
      }}
    >
      <MenuTrigger text={props.text} />
    </button>
  )
  return (
    <span className="relative z-1 inline-flex">
      {reached ? (
        <Suspense fallback={face}>
          <MenuBody {...props} />
        </Suspense>
      ) : (
        face
      )}
    </span>
  )
}
