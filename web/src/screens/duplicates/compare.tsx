/** Possible duplicates side by side: which record stays, and which value of each field. */
import { Merge } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '#components/avatar.tsx'
import { Button } from '#components/button.tsx'
import { FieldValue } from '#components/fields/field-value.tsx'
import { Keys } from '#components/keys.tsx'
import { RecordAnchor } from '#components/record-link.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import type { Field } from '#data/field-types.ts'
import { useFields } from '#data/fields.ts'
import { nameOf } from '#data/names.ts'
import { useIsWriter } from '#data/session.ts'
import { classes } from '#lib/classes.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { usePhone } from '#lib/use-media.ts'
import {
  type Choices,
  type DuplicateGroup,
  type DuplicateKind,
  type DuplicateRecord,
  defaultSource,
  differing,
  isDecided,
  merge,
} from './groups.ts'

interface CompareProps {
  kind: DuplicateKind
  group: DuplicateGroup
  onDismiss: () => void
  onMerged: () => void
}

/** The record that was changed most is probably the one that people use. */
const newest = (items: readonly DuplicateRecord[]): string =>
  items.toSorted((one, other) => other.updated_at.localeCompare(one.updated_at))[0]?.id ?? ''

export function Compare({ kind, group: { items }, onDismiss, onMerged }: CompareProps) {
  const fields = useFields(kind === 'contacts' ? 'contact' : 'company')
  /** of three and more, those that the person leaves alone */
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set())
  const merged = items.filter(({ id }) => !leftOut.has(id))
  const [kept, setPrimary] = useState('')
  const primary = merged.some(({ id }) => id === kept) ? kept : newest(merged)
  const [choices, setChoices] = useState<Choices>({})
  const [isMerging, setMerging] = useState(false)
  const rows = differing(fields, items).filter(
    ({ key }) => !['created_at', 'updated_at', 'full_name'].includes(key),
  )
  const toggle = (id: string) =>
    setLeftOut(current =>
      current.has(id) ? new Set([...current].filter(one => one !== id)) : new Set([...current, id]),
    )
  const submit = async () => {
    if (merged.length < 2) return
    setMerging(true)
    const isDone = await merge(kind, merged, primary, fields.filter(isDecided), choices)
    setMerging(false)
    if (isDone) onMerged()
  }
  const isWriter = useIsWriter()
  const isPhone = usePhone()
  useShortcuts(isWriter ? { m: () => void submit(), n: onDismiss } : {})
  const sourceOf = (field: Field): string => {
    const source = choices[field.key]
    return source && !leftOut.has(source) ? source : defaultSource(field, merged, primary)
  }
  return (
    <div className="flex min-h-full flex-col">
      <div className="min-w-0 flex-1 overflow-x-auto scroll-thin">
        <table
          className="w-full table-fixed border-collapse"
          style={{ minWidth: `${items.length * (isPhone ? 160 : 150) + (isPhone ? 0 : 128)}px` }}
        >
          <thead>
            <tr className="border-b border-line align-top">
              {!isPhone && <th className="w-32 p-3 text-left text-xs font-medium text-ink-3">Stays</th>}
              {items.map(record => (
                <th key={record.id} className="p-2 text-left font-normal">
                  <RecordChoice
                    kind={kind}
                    record={record}
                    isPrimary={record.id === primary}
                    onChoose={isWriter ? () => setPrimary(record.id) : undefined}
                    isLeftOut={leftOut.has(record.id)}
                    onToggle={items.length > 2 && isWriter ? () => toggle(record.id) : undefined}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(field => (
              <FieldRow
                key={field.key}
                field={field}
                items={items}
                leftOut={leftOut}
                isPhone={isPhone}
                chosen={sourceOf(field)}
                onChoose={
                  isWriter && isDecided(field) ? id => setChoices({ ...choices, [field.key]: id }) : undefined
                }
              />
            ))}
          </tbody>
        </table>
        <p className="max-w-[72ch] p-3 text-xs text-ink-3">
          Notes, deals, activities, files and tags of all move to the one that stays.{' '}
          {merged.length === 2
            ? 'The other one goes to the trash; Undo brings it back.'
            : `The other ${merged.length - 1} go to the trash; Undo brings them back.`}
        </p>
      </div>
      {isWriter && (
        <footer className="sticky bottom-0 flex justify-end gap-2 border-t border-line bg-surface px-4 py-2.5">
          <Button onClick={onDismiss}>Not duplicates {!isPhone && <Keys shortcut="n" />}</Button>
          <Button variant="primary" onClick={() => void submit()} disabled={isMerging || merged.length < 2}>
            <Merge size={14} /> Merge {merged.length}
            {leftOut.size > 0 && ` of ${items.length}`}
          </Button>
        </footer>
      )}
    </div>
  )
}

interface RecordChoiceProps {
  kind: DuplicateKind
  record: DuplicateRecord
  isPrimary: boolean
  /** undefined: a person who only reads */
  onChoose: (() => void) | undefined
  isLeftOut: boolean
  /** undefined: a group of two, which is merged as a whole */
  onToggle: (() => void) | undefined
}

const RecordChoice = ({ kind, record, isPrimary, onChoose, isLeftOut, onToggle }: RecordChoiceProps) => (
  <div
    className={classes(
      'flex flex-wrap items-center gap-2 rounded-md border p-2',
      isPrimary ? 'border-accent bg-accent-soft' : 'border-line',
    )}
  >
    <input
      type="radio"
      name="primary"
      checked={isPrimary}
      disabled={isLeftOut || !onChoose}
      onChange={onChoose}
      aria-label={`Keep ${nameOf(record)}, changed ${record.updated_at.slice(0, 10)}`}
    />
    <span className="max-[719px]:hidden">
      <Avatar name={nameOf(record)} isSquare={kind === 'companies'} size="md" />
    </span>
    <span className="min-w-0 flex-1">
      <RecordAnchor group={kind} id={record.id} className="block truncate font-medium hover:underline">
        {nameOf(record)}
      </RecordAnchor>
      <span className="block truncate text-xs text-ink-2">
        Changed <TimeAgo time={record.updated_at} />
      </span>
    </span>
    {onToggle && (
      <label className="flex w-full items-center gap-2 text-xs text-ink-2">
        <input
          type="checkbox"
          checked={!isLeftOut}
          onChange={onToggle}
          aria-label={`Merge ${nameOf(record)}, changed ${record.updated_at.slice(0, 10)}`}
        />
        {isLeftOut ? 'Not merged' : 'Merged'}
      </label>
    )}
  </div>
)

interface FieldRowProps {
  field: Field
  items: readonly DuplicateRecord[]
  leftOut: ReadonlySet<string>
  /** its name is above the values, which then have the whole width */
  isPhone: boolean
  /** the id of the record whose value stays */
  chosen: string
  /** undefined: the values are joined, there is nothing to choose */
  onChoose: ((id: string) => void) | undefined
}

function FieldRow({ field, items, leftOut, isPhone, chosen, onChoose }: FieldRowProps) {
  const row = (
    <tr className="border-b border-line">
      {!isPhone && (
        <th scope="row" className="p-3 text-left text-xs font-medium text-ink-3">
          {field.label}
        </th>
      )}
      {items.map(record => {
        const isChosen = record.id === chosen
        const value = (
          // two addresses may differ in their last letters only
          <span className="block min-w-0 py-1 break-words *:whitespace-normal *:break-words">
            <FieldValue field={field} record={record} />
          </span>
        )
        return (
          <td
            key={record.id}
            className={classes('p-2 max-[719px]:pt-0', leftOut.has(record.id) && 'opacity-50')}
          >
            {onChoose ? (
              <label className="flex min-h-7 items-center gap-2 rounded-md px-2 hover:bg-hover has-checked:bg-accent-soft">
                <input
                  type="radio"
                  name={field.key}
                  checked={isChosen}
                  disabled={leftOut.has(record.id)}
                  onChange={() => onChoose(record.id)}
                  aria-label={`${field.label} of ${nameOf(record)}`}
                />
                {value}
              </label>
            ) : (
              <span className="flex min-h-7 items-center px-2 pl-7.5">{value}</span>
            )}
          </td>
        )
      })}
    </tr>
  )
  if (!isPhone) return row
  return (
    <>
      <tr>
        <th colSpan={items.length} className="px-4 pt-2 text-left text-xs font-medium text-ink-3">
          {field.label}
        </th>
      </tr>
      {row}
    </>
  )
}
