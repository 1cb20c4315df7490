/** A plot of lines with a bar each: a name, the bar in parts, and the figure. */
import { ListLink, type ListTarget } from './list-link.tsx'

export interface Bar {
  key: string
  name: string
  label: string
  value: number
  /** drawn from the left, in the order of the tones */
  parts: readonly number[]
  figure: string
  detail?: string
  to: ListTarget
}

/** Neighbours differ in lightness, so that they do without colours, too. Each has a contrast of 2.4 or more to the card. */
export const TONES = ['bg-accent', 'bg-accent/60', 'bg-ink-3', 'bg-ink-3/60']

interface BarsProps {
  label: string
  bars: readonly Bar[]
  /** the value of a full line, to compare several plots; absent: the largest of these */
  top?: number
}

export function Bars({ label, bars, top = Math.max(1, ...bars.map(({ value }) => value)) }: BarsProps) {
  return (
    <ul aria-label={label} className="-mx-2 flex flex-col">
      {bars.map(bar => (
        <li key={bar.key}>
          <ListLink
            to={bar.to}
            label={bar.label}
            className="flex h-8 items-center gap-3 rounded-md px-2 hover:bg-hover"
          >
            <span className="w-28 shrink-0 truncate text-ink-2">{bar.name}</span>
            <span className="flex h-3.5 min-w-0 flex-1 gap-px">
              {bar.parts.map((part, index) => (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: parts have an order and no names
                  key={index}
                  className={`${TONES[index % TONES.length]} rounded-xs first:rounded-l-sm last:rounded-r-sm`}
                  style={{ width: `${(part / top) * 100}%` }}
                />
              ))}
            </span>
            {bar.detail && (
              <span className="shrink-0 text-xs text-ink-3 tabular max-[719px]:hidden">{bar.detail}</span>
            )}
            <span className="w-18 shrink-0 text-right font-medium tabular">{bar.figure}</span>
          </ListLink>
        </li>
      ))}
    </ul>
  )
}

/** What the tones of the parts mean. */
export const Legend = ({ names }: { names: readonly string[] }) => (
  <ul aria-label="Legend" className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
    {names.map((name, index) => (
      <li key={name} className="flex items-center gap-1.5">
        <span aria-hidden="true" className={`size-2.5 rounded-xs ${TONES[index % TONES.length]}`} />
        {name}
      </li>
    ))}
  </ul>
)
