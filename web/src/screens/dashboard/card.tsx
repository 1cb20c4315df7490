import type { ReactNode } from 'react'
import { Skeleton } from '#components/skeleton.tsx'
import { classes } from '#lib/classes.ts'

interface CardProps {
  title: string
  detail?: ReactNode
  className?: string
  children: ReactNode
}

/** A plot with its heading. */
export const Card = ({ title, detail, className, children }: CardProps) => (
  <section
    aria-label={title}
    className={classes('flex min-w-0 flex-col rounded-lg border border-line bg-surface p-4', className)}
  >
    <header className="mb-3 flex items-baseline gap-2">
      <h2 className="font-semibold">{title}</h2>
      {detail && <p className="truncate text-xs text-ink-3">{detail}</p>}
    </header>
    {children}
  </section>
)

export const PlotSkeleton = ({ className = 'h-48' }: { className?: string }) => (
  <div className={className} role="status" aria-label="Loading">
    <Skeleton className="h-full w-full" />
  </div>
)

/** Says what to do where there is nothing to plot, as high as the skeleton of a plot. */
export const NoFigures = ({ children }: { children: ReactNode }) => (
  <p className="my-auto flex min-h-48 items-center justify-center text-center text-ink-2">{children}</p>
)
