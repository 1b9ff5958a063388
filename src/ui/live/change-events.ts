/** Events of the stream: they say that something changed, never the new value. Interested code reads it again. */
export interface ChangeEvent {
  /** The topic that changed: `router`, `prefix`, `user`, … */
  readonly type: string
  readonly id: number | null
}

/** Null for anything that is not a change event: a newer server may send more than this page understands. */
export function parseChangeEvent(text: string): ChangeEvent | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const type: unknown = Reflect.get(value, 'type')
    const id: unknown = Reflect.get(value, 'id')
    return typeof type === 'string' ? { type, id: typeof id === 'number' ? id : null } : null
  } catch {
    return null
  }
}
