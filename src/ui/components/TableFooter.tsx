import { Button } from './Button.tsx'
import type { KeysetPage } from './DataTable.tsx'
import { grouped } from './quantity.ts'

export default function TableFooter({
  shown,
  all,
  more,
  counted,
}: {
  shown: number
  all: number
  more: KeysetPage | undefined
  counted: boolean
}) {
  // While there are more rows and no total, the loaded rows are not all.
  const uncounted = more?.hasMore === true && !counted
  const words =
    shown !== all ? `${grouped(shown)} of ${grouped(all)}` : `${grouped(all)} ${uncounted ? 'so far' : 'in all'}`
  return (
    <div className="mt-2 flex items-center justify-between gap-3 text-sm text-faint">
      <output className="num">{words}</output>
      {more?.hasMore && (
        <Button size="sm" busy={more.busy} changes={false} onClick={more.onMore}>
          Show more
        </Button>
      )}
    </div>
  )
}
