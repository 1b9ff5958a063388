/** Apart from the interface, because the browser reads it too and knows no streams. */

/** The state of a machine. `unknown`: the hypervisor did not answer; never treated as off. */
export type MachineState = 'absent' | 'off' | 'starting' | 'running' | 'paused' | 'stopping' | 'crashed' | 'unknown'
