/**
 * What the upstream announces to the edge: an Internet of thirty networks, each with its AS path behind the upstream.
 */
export interface TableRoute {
  readonly prefix: string
  /** Nearest first, the origin last. */
  readonly path: readonly number[]
}

const v4 = (third: number, length: number, ...path: number[]): TableRoute => ({
  prefix: `45.31.${third}.0/${length}`,
  path,
})
const v6 = (group: string, length: number, ...path: number[]): TableRoute => ({
  prefix: `2d11${group}::/${length}`,
  path,
})

export const FULL_TABLE: { readonly 4: readonly TableRoute[]; readonly 6: readonly TableRoute[] } = {
  4: [
    v4(0, 20, 500_100),
    v4(16, 22, 500_100, 500_101),
    v4(20, 24, 500_100, 500_101, 500_102),
    v4(21, 24, 500_100, 500_101, 500_102),
    v4(22, 23, 500_110),
    v4(24, 21, 500_110, 500_111),
    v4(32, 24, 500_110, 500_112),
    v4(33, 24, 500_110, 500_112, 500_113),
    v4(34, 23, 500_120),
    v4(36, 22, 500_120, 500_121),
    v4(40, 24, 500_120, 500_121, 500_122),
    v4(41, 24, 500_120, 500_123),
    v4(42, 23, 500_130, 500_131),
    v4(44, 22, 500_130),
    v4(48, 20, 500_130, 500_132, 500_133),
    v4(64, 19, 500_140),
    v4(96, 24, 500_140, 500_141, 500_142, 500_143),
    v4(97, 24, 500_140, 500_141, 500_142, 500_143),
    v4(98, 23, 500_140, 500_144),
    v4(128, 17, 500_150),
  ],
  6: [
    v6('', 32, 500_100),
    v6(':100', 32, 500_100, 500_101),
    v6(':110', 32, 500_110),
    v6(':111', 36, 500_110, 500_111),
    v6(':112', 48, 500_110, 500_112),
    v6(':120', 32, 500_120),
    v6(':121', 40, 500_120, 500_121),
    v6(':130', 32, 500_130),
    v6(':140', 32, 500_140),
    v6(':150', 29, 500_150),
  ],
}
