/** From 0; 1 where nothing can be sold. */
export const shareOf = (sold: number, sellable: number): number => (sellable > 0 ? sold / sellable : 1)
