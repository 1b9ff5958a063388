/**
 * Reads `?search=` of a list, and `?q=` of links made by hand, as text, however the router parsed it. The list reads
 * `?sort=`.
 */
export const listSearch = ({ search, q, sort }: Record<string, unknown>): { search?: string; sort?: string } => {
  const asked = search ?? q
  const text = ['string', 'number', 'boolean'].includes(typeof asked) ? String(asked).trim().slice(0, 100) : ''
  return { ...(text !== '' && { search: text }), ...(typeof sort === 'string' && { sort }) }
}
