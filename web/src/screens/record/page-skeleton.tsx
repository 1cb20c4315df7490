import { Skeleton } from '#components/skeleton.tsx'
import { Rows } from './rows.tsx'

const FACTS = ['w-24', 'w-32', 'w-40', 'w-20', 'w-28', 'w-36', 'w-24', 'w-32']

/** A placeholder with the layout of the page, while the record loads. */
export const PageSkeleton = () => (
  <main id="content" tabIndex={-1} className="flex h-full flex-col bg-surface">
    <div className="flex h-12 shrink-0 items-center border-b border-line px-4">
      <Skeleton className="h-4 w-56" />
    </div>
    <div className="flex min-h-0 flex-1">
      <div className="flex-1">
        <div className="h-10 border-b border-line" />
        <div className="px-6 py-5">
          <Rows />
        </div>
      </div>
      <div className="flex w-84 flex-col gap-4 border-l border-line p-5 max-[719px]:hidden">
        {FACTS.map((width, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
          <span key={index} className="flex gap-8">
            <Skeleton className="h-3 w-20" />
            <Skeleton className={`h-3 ${width}`} />
          </span>
        ))}
      </div>
    </div>
  </main>
)
