/** A portal that dies: applies the state given on its command line again and again until it is killed. */
import { createBirdEdge, type BirdEdgeOptions } from '../bird/index.ts'
import type { EdgeDesiredState } from '../index.ts'

const [options, states] = JSON.parse(process.argv[2]!) as [BirdEdgeOptions, EdgeDesiredState[]]
const edge = createBirdEdge(options)
process.stdout.write('ready\n')
for (let turn = 0; turn < 500; turn++) await edge.apply(states[turn % states.length]!)
