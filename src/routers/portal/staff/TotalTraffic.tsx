import { useSuspenseQuery } from '@tanstack/react-query'
import { Amount } from '../../../ui/components/Amount.tsx'
import { bitRate, bytes } from '../../../ui/components/quantity.ts'
import { TimeChart } from '../../../ui/components/TimeChart.tsx'
import { totalTraffic } from './api.ts'

/** Measurements arrive by the clock, so no change event announces them. */
const READ_AGAIN_MS = 60_000

export function TotalTraffic() {
  const { data } = useSuspenseQuery({ ...totalTraffic(), refetchInterval: READ_AGAIN_MS })
  return (
    <>
      <TimeChart
        label="All routers"
        times={data.times}
        series={[
          { label: 'In', values: data.rx, color: 'accent' },
          { label: 'Out', values: data.tx, color: 'ok', down: true },
        ]}
        format={bitRate}
        leastTop={10_000}
        live
      />
      <p className="mt-2 text-sm text-dim">
        <Amount of={bytes(data.rxBytes)} /> in and <Amount of={bytes(data.txBytes)} /> out in 24 hours, measured at the
        routers. The chart shows averages over five minutes.
      </p>
    </>
  )
}
