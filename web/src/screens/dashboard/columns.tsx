/** A plot of columns, one for each month. Each is a link whose label says the figures in words. */
import { classes } from '#lib/classes.ts'
import { ListLink, type ListTarget } from './list-link.tsx'

export interface Column {
  key: string
  /** below the column */
  name: string
  /** what the column says, for the hint and screen readers */
  label: string
  value: number
  /** a part of the value, drawn stronger */
  part?: number
  to: ListTarget
}

interface ColumnsProps {
  label: string
  columns: readonly Column[]
  format: (value: number) => string
  /** stronger below the column of this key */
  current?: string
}

/** The next round number, so that the lines of the scale have short labels. */
export function roundUp(value: number): number {
  if (value <= 0) return 1
  const step = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 5, 10].find(factor => factor * step >= value) ?? 10) * step
}

export function Columns({ label, columns, format, current }: ColumnsProps) {
  const top = roundUp(Math.max(...columns.map(({ value }) => value)))
  const last = columns.length - 1
  return (
    <div className="flex h-48 gap-2">
      <div
        aria-hidden="true"
        className="flex flex-col justify-between pb-5 text-right text-2xs text-ink-3 tabular"
      >
        {[top, top / 2, 0].map(value => (
          <span key={value} className="leading-none">
            {format(value)}
          </span>
        ))}
      </div>
      <div className="relative min-w-0 flex-1">
        <div aria-hidden="true" className="absolute inset-x-0 top-0 bottom-5 flex flex-col justify-between">
          {[top, top / 2, 0].map(value => (
            <span key={value} className="h-px bg-line" />
          ))}
        </div>
        <ul aria-label={label} className="absolute inset-0 flex">
          {columns.map((column, index) => (
            <li key={column.key} className="min-w-0 flex-1">
              <ListLink
                to={column.to}
                label={column.label}
                className="group relative flex h-full flex-col rounded-sm hover:bg-hover"
              >
                <span className="relative flex min-h-0 flex-1 items-end justify-center">
                  <span
                    className="relative w-3/5 max-w-8 overflow-hidden rounded-t-sm bg-accent/35"
                    style={{ height: `${(column.value / top) * 100}%` }}
                  >
                    <span
                      className="absolute inset-x-0 bottom-0 bg-accent"
                      style={{
                        height: `${column.value ? ((column.part ?? column.value) / column.value) * 100 : 0}%`,
                      }}
                    />
                  </span>
                </span>
                <span
                  className={classes(
                    'h-5 truncate pt-1 text-center text-2xs',
                    // of twelve on a phone every other one, so that they do not run into each other
                    columns.length > 8 &&
                      ((last - index) % 2 === 0
                        ? 'max-[719px]:-mx-3 max-[719px]:overflow-visible'
                        : 'max-[719px]:invisible'),
                    column.key === current ? 'font-semibold text-ink' : 'text-ink-3',
                  )}
                >
                  {column.name}
                </span>
                <Hint
                  text={column.label}
                  side={index < last / 3 ? 'start' : index > (last * 2) / 3 ? 'end' : 'center'}
                />
              </ListLink>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

const SIDES = { start: 'left-0', center: 'left-1/2 -translate-x-1/2', end: 'right-0' }

const Hint = ({ text, side }: { text: string; side: keyof typeof SIDES }) => (
  <span
    aria-hidden="true"
    className={classes(
      'pointer-events-none absolute bottom-full z-10 hidden rounded-md bg-raised px-2 py-1 text-xs whitespace-nowrap text-ink shadow-float group-hover:block group-focus-visible:block',
      SIDES[side],
    )}
  >
    {text}
  </span>
)
