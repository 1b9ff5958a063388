/** `?search=` of a list. The router reads an address of digits as a number: it is text whatever it looks like. */
export const listSearch = ({ search }: Record<string, unknown>): { search?: string } => {
  const text = typeof search === 'string' || typeof search === 'number' ? String(search).trim().slice(0, 100) : ''
  return text === '' ? {} : { search: text }
}
