import { Skeleton } from '#components/skeleton.tsx'

const COLUMNS = [3, 2, 4, 1, 2, 2]

export const BoardSkeleton = () => (
  <div role="status" aria-label="Loading" className="flex h-full gap-2 overflow-hidden p-3">
    {COLUMNS.map((cards, column) => (
      <div
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change
        key={column}
        className="flex h-full min-w-40 max-w-80 flex-1 flex-col gap-2 rounded-lg bg-canvas p-2"
      >
        <div className="flex h-18 items-center px-1">
          <Skeleton className="h-3 w-24" />
        </div>
        {Array.from({ length: cards }, (_, card) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the cards never change
          <Skeleton key={card} className="h-23 w-full" />
        ))}
      </div>
    ))}
  </div>
)
