/** The shape of content that is loading. It says nothing: the page's spinner does. */
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

/** A loading block, as high as `className` says. */
export const BlockSkeleton = ({ className }: { className: string }) => (
  <output
    className={`block animate-pulse rounded-md border border-line bg-sunken motion-reduce:animate-none ${className}`}
  >
    <span className="sr-only">Loading</span>
  </output>
)

/** The shape of an empty state, line by line. */
export const EmptySkeleton = () => (
  <output className="flex flex-col items-center rounded-md border border-dashed border-line px-6 py-10">
    <span className="sr-only">Loading</span>
    <Skeleton className="mb-3 size-10 rounded-md" />
    <Skeleton className="my-1 h-4 w-36" />
    <Skeleton className="mt-2.5 h-3 w-full max-w-[50ch]" />
    <Skeleton className="mt-2.5 mb-1 h-3 w-full max-w-[36ch]" />
    <Skeleton className="mt-4 h-8 w-28" />
  </output>
)
