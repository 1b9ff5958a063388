/** Every name of the lab includes the instance, so that two labs on one machine never collide. */
export interface LabNames {
  readonly edgeNamespace: string
  readonly upstreamNamespace: string
  readonly bridge: string
  /** The bridge's end of the link to the edge. */
  readonly edgePort: string
  /**
   * Fixed, because a bridge otherwise takes the lowest MAC of its ports and changes it when a guest starts or stops.
   */
  readonly bridgeMac: string
  /** Control sockets are here and not in the data directory: their path may have 107 bytes. */
  readonly runDirectory: string
}

/** `instance`: six hexadecimal characters. */
export function labNames(instance: string): LabNames {
  if (!/^[0-9a-f]{6}$/.test(instance)) throw new TypeError('an instance mark is six hexadecimal characters')
  return {
    edgeNamespace: `lh-${instance}-edge`,
    upstreamNamespace: `lh-${instance}-up`,
    bridge: `lhb${instance}`,
    edgePort: `lhe${instance}`,
    bridgeMac: `02:6c:68:${instance.slice(0, 2)}:${instance.slice(2, 4)}:${instance.slice(4)}`,
    runDirectory: `/run/lh-${instance}`,
  }
}
