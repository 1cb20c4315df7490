/** What the sections of the settings are made of: a titled part, and rows in a frame. */
import type { ReactNode } from 'react'
import { Skeleton } from '#components/skeleton.tsx'
import { classes } from '#lib/classes.ts'

interface PartProps {
  title: string
  description?: ReactNode
  action?: ReactNode
  children: ReactNode
}

export function Part({ title, description, action, children }: PartProps) {
  return (
    <section aria-label={title} className="mb-10">
      <div className="mb-3 flex items-end gap-4 max-[719px]:flex-col max-[719px]:items-start max-[719px]:gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="text-base font-semibold">{title}</h2>
          {description && <p className="mt-0.5 max-w-[64ch] text-ink-2">{description}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}

export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul aria-label={label} className="divide-y divide-line rounded-lg border border-line">
    {children}
  </ul>
)

/** One line; its last child is at the right. */
export const Row = ({ children, className }: { children: ReactNode; className?: string }) => (
  <li
    className={classes(
      'flex min-h-11 items-center gap-3 px-3 py-1.5 max-[719px]:flex-wrap max-[719px]:gap-y-1',
      className,
    )}
  >
    {children}
  </li>
)

/** A name with what explains it below or beside it. */
export const RowText = ({ title, detail }: { title: ReactNode; detail?: ReactNode }) => (
  // on a phone what does not fit beside it goes below, and the text wraps
  <div className="min-w-0 flex-1 max-[719px]:basis-48">
    <div className="truncate font-medium max-[719px]:break-words max-[719px]:whitespace-normal">{title}</div>
    {detail && (
      <div className="truncate text-xs text-ink-3 max-[719px]:break-words max-[719px]:whitespace-normal">
        {detail}
      </div>
    )}
  </div>
)

/** In place of rows that are being read. */
export const RowsSkeleton = ({ count = 3 }: { count?: number }) => (
  <div className="divide-y divide-line rounded-lg border border-line" role="status" aria-label="Loading">
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
      <div key={index} className="flex h-11 items-center gap-3 px-3">
        <Skeleton className="h-3 w-40" />
        <Skeleton className="ml-auto h-3 w-16" />
      </div>
    ))}
  </div>
)

/** A frame that says what to do where there are no rows yet. */
export const NoRows = ({ children }: { children: ReactNode }) => (
  <p className="rounded-lg border border-dashed border-line-strong px-3 py-4 text-ink-2">{children}</p>
)
