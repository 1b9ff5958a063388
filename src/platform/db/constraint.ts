/** Whether the database refused a row for this constraint: the last word where two at once both looked first. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === constraint
