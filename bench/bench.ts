/** What a file `bench/<name>.bench.ts` exports by default. `npm run bench` finds and runs it; see README.md. */

export interface Bench {
  /** Why it cannot run on this machine, in words that say what would change that; null when it can. */
  skipReason?(): Promise<string | null>
  /** Puts up what is measured. Whatever it has made is gone when it throws, and after {@link Stage.close}. */
  open(): Promise<Stage>
}

/** What stands ready to be measured. */
export interface Stage {
  readonly comparisons: readonly Comparison[]
  close(): Promise<void>
}

export interface Comparison {
  /** What happens, in a few words: the row of the table. */
  readonly name: string
  readonly unit: 'ms' | 'per second' | 'MiB'
  /** One measurement of the product, in `unit`. Throws when the work was not done right: a wrong answer has no speed. */
  ours(): Promise<number>
  /** One of the peer, doing the same work in the same run. Without one the figure stands alone and proves little. */
  readonly peer?: { readonly name: string; measure(): Promise<number> }
  /** Beyond it the bench fails. `most` and `least` are of our median, `mostOfPeer` of the median of the pairs. */
  readonly bound?: { readonly most?: number; readonly least?: number; readonly mostOfPeer?: number }
  /** Measured in turns, ours and the peer's: at least 5 pairs, which is also the default. */
  readonly pairs?: number
  /** Unmeasured pairs before the first. Default 1. */
  readonly warmUps?: number
}
