export interface WithAddresses {
  readonly addresses: readonly { readonly family: 4 | 6; readonly address: string }[]
}

/** Returns the address of one family; null where there is none. */
export const addressOf = ({ addresses }: WithAddresses, family: 4 | 6): string | null =>
  addresses.find((one) => one.family === family)?.address ?? null
