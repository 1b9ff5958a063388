import { useNavigate, useSearch as useAddress } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** Long enough to finish a word, too short to be noticed. */
const PAUSE_MS = 200
/** The API's limit. */
const MAX_LENGTH = 100

/**
 * The filter text of a list that the server filters. The request is sent once the typing pauses, with the old rows
 * still shown. The text is also in the address: it is there on the way back from a row, and in shared links.
 */
export function useSearch() {
  // A list that reads its address keeps the router's parsing: digits become a number.
  const asked = useAddress({ strict: false, select: ({ search }) => String(search ?? '') })
  const navigate = useNavigate()
  const [typed, setTyped] = useState(asked)
  // Counts changes of the address from outside, by a link or the back button: the field is then reset to it.
  const [round, setRound] = useState(0)
  const field = useRef({ typed: asked, asked, sent: [] as string[], timer: 0 })

  const ask = () => {
    const search = field.current.typed.trim().slice(0, MAX_LENGTH)
    if (search === (field.current.sent.at(-1) ?? field.current.asked)) return
    field.current.sent.push(search)
    void navigate({
      to: '.',
      // Remove `q` of a link, which asked for the same: it would come back once the field is cleared.
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
