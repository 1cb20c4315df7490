/** What the cells of a column are read as: "Closed Won" is the stage Won. */
import { ArrowRight } from 'lucide-react'
import { Select } from '#components/select.tsx'
import type { Choice } from './fields.ts'
import type { Reading } from './values.ts'

const AS_IT_IS = '='
const NOTHING = ''

interface ValueRowsProps {
  column: string
  readings: readonly Reading[]
  choices: readonly Choice[]
  onChange: (values: Record<string, string | null>) => void
}

export function ValueRows({ column, readings, choices, onChange }: ValueRowsProps) {
  const options = [{ value: AS_IT_IS, label: 'As it is' }, { value: NOTHING, label: 'Nothing' }, ...choices]
  const choose = (cell: string, choice: string) =>
    onChange({ [cell]: choice === AS_IT_IS ? cell : choice === NOTHING ? null : choice })
  return (
    <ul aria-label={`Values of ${column}`} className="mt-1 mb-2 flex max-w-130 flex-col gap-1 pl-4">
      {readings.map(({ cell, instead, isKnown }) => (
        <li key={cell} className="grid grid-cols-[minmax(0,1fr)_16px_200px] items-center gap-2">
          <span className={isKnown ? 'truncate' : 'truncate text-warn'} title={cell}>
            {cell}
          </span>
          <ArrowRight size={13} className="text-ink-3" />
          <Select
            label={`Read ${cell} as`}
            value={instead === undefined ? AS_IT_IS : (instead ?? NOTHING)}
            options={options}
            onChange={choice => choose(cell, choice)}
          />
        </li>
      ))}
    </ul>
  )
}
