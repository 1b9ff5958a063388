/** `?search=` of a list, and `?q=` of links made by hand: text, whatever the router takes it for. `?sort=` is read by the list. */
export const listSearch = ({ search, q, sort }: Record<string, unknown>): { search?: string; sort?: string } => {
  const asked = search ?? q
  const text = ['string', 'number', 'boolean'].includes(typeof asked) ? String(asked).trim().slice(0, 100) : ''
  return { ...(text !== '' && { search: text }), ...(typeof sort === 'string' && { sort }) }
}
