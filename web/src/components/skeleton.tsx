import { classes } from '#lib/classes.ts'

/** A placeholder while content loads; give it the size of the content, so that nothing moves afterwards. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span
    aria-hidden="true"
    className={classes(
      'block animate-[skeleton_1.6s_ease-in-out_infinite] rounded-sm bg-active',
      className ?? 'h-3 w-24',
    )}
  />
)

/** For a whole screen. */
export const ScreenSkeleton = () => (
  <div className="flex flex-col gap-4 p-6" role="status" aria-label="Loading">
    <Skeleton className="h-6 w-48" />
    {[72, 88, 64, 80, 56].map(width => (
      <span key={width} style={{ width: `${width}%` }}>
        <Skeleton className="h-4 w-full" />
      </span>
    ))}
  </div>
)
