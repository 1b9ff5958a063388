/** `npm run check`: types, lint, format and the quick tests, in under a minute. Before each commit. */
import { runStaticChecks, sum } from './checks/static.ts'
import { conclude } from './checks/verdict.ts'
import { runVitest } from './checks/vitest.ts'

conclude(sum(await Promise.all([runStaticChecks(), runVitest({ quick: true, args: process.argv.slice(2) })])))
