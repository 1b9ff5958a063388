/** Separate from the interface, because the browser imports it too and has no Node streams. */

/** The state of a machine. `unknown`: the hypervisor did not answer; never treated as off. */
export type MachineState = 'absent' | 'off' | 'starting' | 'running' | 'paused' | 'stopping' | 'crashed' | 'unknown'
