import { Skeleton } from '#components/skeleton.tsx'

const WIDTHS = ['w-3/5', 'w-4/5', 'w-2/5', 'w-3/4']

/** The placeholder while a list loads. */
export const Rows = () => (
  <div role="status" aria-label="Loading" className="flex flex-col gap-4 py-2">
    {WIDTHS.map(width => (
      <span key={width} className="flex items-center gap-3">
        <Skeleton className="size-5 rounded-full" />
        <Skeleton className={`h-3 ${width}`} />
      </span>
    ))}
  </div>
)
