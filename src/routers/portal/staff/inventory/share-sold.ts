/** From 0; 1 where there is nothing to sell. */
export const shareOf = (sold: number, sellable: number): number => (sellable > 0 ? sold / sellable : 1)
