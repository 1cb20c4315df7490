import { classes } from '#lib/classes.ts'

interface MeterProps {
  label: string
  /** 0 to 1; undefined while it is unknown */
  value: number | undefined
  className?: string
}

/** How far something is. */
export function Meter({ label, value, className }: MeterProps) {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={classes('h-1.5 w-full overflow-hidden rounded-full bg-active', className)}
    >
      <div
        className={classes(
          'h-full rounded-full bg-accent transition-[width] duration-200 ease-out',
          percent === undefined && 'animate-[skeleton_1.6s_ease-in-out_infinite]',
        )}
        style={{ width: `${percent ?? 100}%` }}
      />
    </div>
  )
}
