/** How many of us meet one host at once, so that accounts that all name the same address do not make us a flood. */

export interface HostSlots {
  /** Null when the host has as many as it may. */
  run<T>(host: string, work: () => Promise<T>): Promise<T | null>
}

export function createHostSlots(most: number): HostSlots {
  const busy = new Map<string, number>()
  return {
    async run(host, work) {
      const now = busy.get(host) ?? 0
      if (now >= most) return null
      busy.set(host, now + 1)
      try {
        return await work()
      } finally {
        const left = busy.get(host)! - 1
        if (left === 0) busy.delete(host)
        else busy.set(host, left)
      }
    },
  }
}
