/** `?search=` of a list, and `?q=` of links made by hand. It is text, whatever the router takes it for. */
export const listSearch = ({ search, q }: Record<string, unknown>): { search?: string } => {
  const asked = search ?? q
  const text = ['string', 'number', 'boolean'].includes(typeof asked) ? String(asked).trim().slice(0, 100) : ''
  return text === '' ? {} : { search: text }
}
