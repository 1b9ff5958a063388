/** Limits our parallel requests to one host, so that accounts that all name the same host cannot make us flood it. */

export interface HostSlots {
  /** Null when the host has its maximum. */
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
