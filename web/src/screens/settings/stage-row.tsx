import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { IconButton } from '#components/button.tsx'
import { InlineText } from '#components/inline-text.tsx'
import { Select } from '#components/select.tsx'
import { showError } from '#components/toast.tsx'
import { formatCount, formatNumber } from '#lib/format.ts'
import { parseNumber } from '#lib/numbers.ts'
import { useRole } from './role.ts'
import { changeStage, deleteStage, moveStage, type Stage } from './stages.ts'

const TYPES = [
  { value: 'open', label: 'Open' },
  { value: 'won', label: 'Won' },
  { value: 'lost', label: 'Lost' },
] as const

const numberOf = (text: string): number => parseNumber(text.replace(/days?/, '')) ?? Number.NaN

const isWithin = (text: string, max: number): boolean => {
  const value = numberOf(text)
  return Number.isInteger(value) && value >= 0 && value <= max
}

const MAX_DAYS = 3650

/** On a phone a stage is two lines, and the heading of a column is above each value. */
const LABELLED =
  'max-[719px]:before:block max-[719px]:before:text-2xs max-[719px]:before:text-ink-3 max-[719px]:before:content-[attr(data-label)]'

export function StageRow({ stage, stages, index }: { stage: Stage; stages: Stage[]; index: number }) {
  const { name, type, probability, rotten_after_days, deals_count } = stage
  const { isWriter } = useRole()
  const isOpen = type === 'open'
  return (
    <tr className="h-10 border-t border-line max-[719px]:grid max-[719px]:h-auto max-[719px]:grid-cols-4 max-[719px]:gap-y-1 max-[719px]:py-2">
      <td className="pl-1.5 max-[719px]:col-span-3">
        <InlineText
          label="Name of the stage"
          value={name}
          maxLength={255}
          isDisabled={!isWriter}
          className="w-full font-medium"
          onCommit={text => changeStage(stage, { name: text })}
        />
      </td>
      <td data-label="Type" className={`max-[719px]:pl-1.5 max-[719px]:before:pl-2.5 ${LABELLED}`}>
        {isWriter ? (
          <Select
            label={`Type of ${name}`}
            value={type}
            options={TYPES}
            onChange={next => next !== type && void changeStage(stage, { type: next }).catch(showError)}
            className="h-7 border-transparent bg-transparent hover:bg-hover"
          />
        ) : (
          <span className="px-2.5">{TYPES.find(one => one.value === type)?.label}</span>
        )}
      </td>
      <td data-label="Probability" className={`text-right ${LABELLED}`}>
        <InlineText
          label={`Probability of ${name} in per cent`}
          value={`${probability} %`}
          inputMode="numeric"
          isDisabled={!isWriter || !isOpen}
          className="w-16 text-right tabular"
          problemOf={text => (isWithin(text, 100) ? undefined : 'Enter 0 to 100')}
          onCommit={text => changeStage(stage, { probability: numberOf(text) })}
        />
      </td>
      <td data-label="Rotten after" className={`text-right ${LABELLED}`}>
        <InlineText
          label={`Days until a deal in ${name} is rotten`}
          value={rotten_after_days === null ? '' : formatCount(rotten_after_days, 'day')}
          placeholder={isOpen ? 'never' : '–'}
          inputMode="numeric"
          canBeEmpty
          isDisabled={!isWriter || !isOpen}
          className="w-20 text-right tabular"
          problemOf={text =>
            text === '' || isWithin(text, MAX_DAYS)
              ? undefined
              : `Enter 1 to ${formatNumber(MAX_DAYS)}, or nothing`
          }
          onCommit={text => changeStage(stage, { rotten_after_days: (text && numberOf(text)) || null })}
        />
      </td>
      <td
        data-label="Deals"
        className={`pr-3 text-right text-ink-2 tabular max-[719px]:before:mb-1 ${LABELLED}`}
      >
        {formatNumber(deals_count)}
      </td>
      <td className="pr-2 text-right whitespace-nowrap max-[719px]:col-start-4 max-[719px]:row-start-1">
        {isWriter && (
          <>
            <IconButton
              label={`Move ${name} up`}
              disabled={index === 0}
              onClick={() => void moveStage(stages, index, index - 1).catch(showError)}
            >
              <ArrowUp size={13} />
            </IconButton>
            <IconButton
              label={`Move ${name} down`}
              disabled={index === stages.length - 1}
              onClick={() => void moveStage(stages, index, index + 1).catch(showError)}
            >
              <ArrowDown size={13} />
            </IconButton>
            <IconButton
              label={`Delete ${name}`}
              disabled={deals_count > 0}
              title={deals_count > 0 ? 'Move its deals to other stages first' : `Delete ${name}`}
              onClick={() => void deleteStage(stage).catch(showError)}
            >
              <X size={13} />
            </IconButton>
          </>
        )}
      </td>
    </tr>
  )
}
