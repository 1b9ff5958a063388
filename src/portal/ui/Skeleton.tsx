/** The shape of what is coming. Says nothing by itself: the screen's spinner speaks. */
export const Skeleton = ({ className = 'h-4 w-40' }: { className?: string }) => (
  <span aria-hidden className={`block animate-pulse rounded-sm bg-hover motion-reduce:animate-none ${className}`} />
)

export function TableSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <output className="block overflow-hidden rounded-md border border-line">
      <span className="sr-only">Loading</span>
      <div className="h-9 border-b border-line bg-sunken" />
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-9.5 items-center gap-8 border-b border-line px-3 last:border-0">
          <Skeleton className="h-3 w-1/4" />
          <Skeleton className="h-3 w-1/6" />
          <Skeleton className="h-3 w-1/5" />
        </div>
      ))}
    </output>
  )
}
