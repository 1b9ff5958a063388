import { useNavigate, useSearch as useAddress } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** Long enough to let somebody finish a word, too short to be noticed. */
const PAUSE_MS = 200
/** What the border takes. */
const MAX_LENGTH = 100

/**
 * What is typed into a filter that the server applies. It is asked once the typing pauses, the old rows standing
 * meanwhile, and stands in the address: there it is found again on the way back from a row, and by whoever gets the link.
 */
export function useSearch() {
  // A list that reads its address by itself leaves it as the router read it: digits as a number.
  const asked = useAddress({ strict: false, select: ({ search }) => String(search ?? '') })
  const navigate = useNavigate()
  const [typed, setTyped] = useState(asked)
  // How often the address changed by another hand, a link or the way back: the field then begins anew with that.
  const [round, setRound] = useState(0)
  const field = useRef({ typed: asked, asked, sent: [] as string[], timer: 0 })

  const ask = () => {
    const search = field.current.typed.trim().slice(0, MAX_LENGTH)
    if (search === (field.current.sent.at(-1) ?? field.current.asked)) return
    field.current.sent.push(search)
    void navigate({
      to: '.',
      // `q` of a link asked the same: it would come back once the field is cleared.
      search: (before) => ({ ...before, q: undefined, search: search || undefined }),
      replace: true,
      resetScroll: false,
    })
  }
  const setSearch = (text: string) => {
    setTyped(text)
    field.current.typed = text
    clearTimeout(field.current.timer)
    field.current.timer = window.setTimeout(ask, PAUSE_MS)
  }
  useEffect(() => () => clearTimeout(field.current.timer), [])

  useEffect(() => {
    const { typed: text, sent } = field.current
    field.current.asked = asked
    const own = sent.indexOf(asked)
    if (own >= 0) sent.splice(0, own + 1)
    else if (asked !== text.trim()) {
      field.current.typed = asked
      setTyped(asked)
      setRound((before) => before + 1)
    }
  }, [asked])

  return { search: asked, round, typed, setSearch, isAsked: typed.trim().slice(0, MAX_LENGTH) === asked }
}
