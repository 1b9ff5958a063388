/** Apart from the interface, because the browser reads it too and knows no streams. */

/** What the hypervisor says of a machine. `unknown`: it could not be asked; never read as off. */
export type MachineState = 'absent' | 'off' | 'starting' | 'running' | 'paused' | 'stopping' | 'crashed' | 'unknown'
