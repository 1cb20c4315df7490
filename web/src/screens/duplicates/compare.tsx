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
  const [primary, setPrimary] = useState(() => newest(items))
  const [choices, setChoices] = useState<Choices>({})
  const [isMerging, setMerging] = useState(false)
  const rows = differing(fields, items).filter(
    ({ key }) => !['created_at', 'updated_at', 'full_name'].includes(key),
  )
  const submit = async () => {
    setMerging(true)
    const isDone = await merge(kind, items, primary, fields.filter(isDecided), choices)
    setMerging(false)
    if (isDone) onMerged()
  }
  const isWriter = useIsWriter()
  useShortcuts(isWriter ? { m: () => void submit(), n: onDismiss } : {})
  return (
    <div className="flex min-h-full flex-col">
      <div className="min-w-0 flex-1 overflow-x-auto scroll-thin">
        <table className="w-full min-w-110 table-fixed border-collapse">
          <thead>
            <tr className="border-b border-line align-top">
              <th className="w-32 p-3 max-[719px]:w-24 text-left text-xs font-medium text-ink-3">Stays</th>
              {items.map(record => (
                <th key={record.id} className="p-2 text-left font-normal">
                  <RecordChoice
                    kind={kind}
                    record={record}
                    isPrimary={record.id === primary}
                    onChoose={() => setPrimary(record.id)}
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
                chosen={choices[field.key] ?? defaultSource(field, items, primary)}
                onChoose={isDecided(field) ? id => setChoices({ ...choices, [field.key]: id }) : undefined}
              />
            ))}
          </tbody>
        </table>
        <p className="max-w-[72ch] p-3 text-xs text-ink-3">
          Notes, deals, activities, files and tags of all move to the one that stays.{' '}
          {items.length === 2
            ? 'The other one goes to the trash; Undo brings it back.'
            : `The other ${items.length - 1} go to the trash; Undo brings them back.`}
        </p>
      </div>
      {isWriter && (
        <footer className="sticky bottom-0 flex justify-end gap-2 border-t border-line bg-surface px-4 py-2.5">
          <Button onClick={onDismiss}>
            Not duplicates <Keys shortcut="n" />
          </Button>
          <Button variant="primary" onClick={() => void submit()} disabled={isMerging}>
            <Merge size={14} /> Merge {items.length}
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
  onChoose: () => void
}

const RecordChoice = ({ kind, record, isPrimary, onChoose }: RecordChoiceProps) => (
  <div
    className={classes(
      'flex items-center gap-2 rounded-md border p-2',
      isPrimary ? 'border-accent bg-accent-soft' : 'border-line',
    )}
  >
    <input
      type="radio"
      name="primary"
      checked={isPrimary}
      onChange={onChoose}
      aria-label={`Keep ${nameOf(record)}, changed ${record.updated_at.slice(0, 10)}`}
    />
    <Avatar name={nameOf(record)} isSquare={kind === 'companies'} size="md" />
    <span className="min-w-0">
      <RecordAnchor group={kind} id={record.id} className="block truncate font-medium hover:underline">
        {nameOf(record)}
      </RecordAnchor>
      <span className="block truncate text-xs text-ink-2">
        Changed <TimeAgo time={record.updated_at} />
      </span>
    </span>
  </div>
)

interface FieldRowProps {
  field: Field
  items: readonly DuplicateRecord[]
  /** the id of the record whose value stays */
  chosen: string
  /** undefined: the values are joined, there is nothing to choose */
  onChoose: ((id: string) => void) | undefined
}

function FieldRow({ field, items, chosen, onChoose }: FieldRowProps) {
  return (
    <tr className="border-b border-line">
      <th scope="row" className="p-3 text-left text-xs font-medium text-ink-3">
        {field.label}
      </th>
      {items.map(record => {
        const isChosen = record.id === chosen
        const value = (
          <span className="block min-w-0 truncate">
            <FieldValue field={field} record={record} />
          </span>
        )
        return (
          <td key={record.id} className="p-2">
            {onChoose ? (
              <label className="flex min-h-7 items-center gap-2 rounded-md px-2 hover:bg-hover has-checked:bg-accent-soft">
                <input
                  type="radio"
                  name={field.key}
                  checked={isChosen}
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
}
