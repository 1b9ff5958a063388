import { buttonLook } from '../../portal/ui/button-look.ts'
import { Icon } from '../../portal/ui/Icon.tsx'

/** A list as a file, narrowed as it is on screen. What is undefined or empty narrows nothing. */
export function FileLink({
  path,
  query = {},
  what,
}: {
  path: string
  query?: Readonly<Record<string, string | number | undefined>>
  /** Of what: `users`. */
  what: string
}) {
  const wanted = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') wanted.set(name, String(value))
  }
  return (
    <a
      href={wanted.size > 0 ? `${path}?${wanted.toString()}` : path}
      download
      aria-label={`Download ${what} as CSV`}
      className={buttonLook('plain', 'sm', 'ml-auto pointer-coarse:min-h-10')}
    >
      <Icon name="download" size={13} />
      CSV
    </a>
  )
}
