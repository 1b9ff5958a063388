/** Measurements over time, of a router and of a hypervisor. */
import { z } from 'zod'
import { givenTime, time, written } from '../../kernel/shapes.ts'

export const seriesQuery = z.object({
  /** Default one hour before `to`. */
  from: givenTime.optional(),
  /** Default now. */
  to: givenTime.optional(),
  /** Seconds. The default, which is also the minimum, keeps the response below 1000 points. */
  step: written(z.int().min(10, 'takes at least 10 seconds').max(86_400, 'takes at most a day')).optional(),
})

export const series = z.object({
  from: time,
  to: time,
  /** Seconds between two points. */
  step: z.int(),
  /** The end of each step. Every series has one value for each, null where nothing was measured. */
  times: z.array(time),
  cpu: z.array(z.number().nullable()),
  /** In use: MiB of a router, the fraction of a hypervisor. */
  memory: z.array(z.number().nullable()),
  rx: z.array(z.number().nullable()),
  tx: z.array(z.number().nullable()),
})
