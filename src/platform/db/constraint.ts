/** Returns whether an error is a violation of this constraint, which decides between concurrent requests. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === constraint
