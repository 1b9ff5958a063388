import { DownloadLink } from '../components/DownloadLink.tsx'

/** Downloads a list as a file, filtered as on screen. An undefined or empty value filters nothing. */
export function FileLink({
  path,
  query = {},
  what,
}: {
  path: string
  query?: Readonly<Record<string, string | number | undefined>>
  /** The content: `users`. */
  what: string
}) {
  const wanted = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') wanted.set(name, String(value))
  }
  return (
    <DownloadLink
      href={wanted.size > 0 ? `${path}?${wanted.toString()}` : path}
      label={`Download ${what} as CSV`}
      className="ml-auto"
    >
      CSV
    </DownloadLink>
  )
}
