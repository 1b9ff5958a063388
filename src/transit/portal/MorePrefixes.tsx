import { Button } from '../../ui/components/Button.tsx'

/** Shown below the first of many prefixes. Renders nothing when all are shown. */
export const MorePrefixes = ({ shown, of, onMore }: { shown: number; of: number; onMore: () => void }) =>
  shown < of && (
    <div className="mt-2 flex items-center justify-between gap-3 text-sm text-faint">
      <output className="num">
        {shown} of {of}
      </output>
      <Button size="sm" changes={false} onClick={onMore}>
        Show more prefixes
      </Button>
    </div>
  )
