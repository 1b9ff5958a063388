/** A portal that dies: applies the state given on its command line again and again until it is killed. */
import { createOpenbgpdEdge, type OpenbgpdEdgeOptions } from '../openbgpd/index.ts'
import type { EdgeDesiredState } from '../index.ts'

const [options, states] = JSON.parse(process.argv[2]!) as [OpenbgpdEdgeOptions, EdgeDesiredState[]]
const edge = createOpenbgpdEdge(options)
process.stdout.write('ready\n')
for (let turn = 0; turn < 500; turn++) await edge.apply(states[turn % states.length]!)
