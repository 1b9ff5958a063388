/** The default export of a file `bench/<name>.bench.ts`. `npm run bench` finds and runs it; see README.md. */

export interface Bench {
  /** Returns why it cannot run on this machine, and what would change that; null when it can. */
  skipReason?(): Promise<string | null>
  /** Sets up what is measured. Everything it has made is removed when it throws, and after {@link Stage.close}. */
  open(): Promise<Stage>
}

/** A setup that is ready to be measured. */
export interface Stage {
  readonly comparisons: readonly Comparison[]
  close(): Promise<void>
}

export interface Comparison {
  /** The measured event in a few words: the row of the table. */
  readonly name: string
  readonly unit: 'ms' | 'per second' | 'MiB'
  /**
   * Takes one measurement of the product, in `unit`. Throws when the work was not done correctly: a wrong result has no
   * speed.
   */
  ours(): Promise<number>
  /**
   * Takes one measurement of the peer, which does the same work in the same run. Without a peer the figure proves
   * little.
   */
  readonly peer?: { readonly name: string; measure(): Promise<number> }
  /** Beyond it the bench fails. `most` and `least` limit our median, `mostOfPeer` the median of the pairs. */
  readonly bound?: { readonly most?: number; readonly least?: number; readonly mostOfPeer?: number }
  /** How often to measure in turns, ours and the peer's: at least 5 pairs, which is also the default. */
  readonly pairs?: number
  /** Unmeasured pairs before the first. Default 1. */
  readonly warmUps?: number
}
