/** The filters as chips; each opens its editor. */
import { ListFilter, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Picker } from '#components/picker.tsx'
import { Popover } from '#components/popover.tsx'
import type { Field } from '#data/field-types.ts'
import { FilterText } from './filter-text.tsx'
import { type Filter, isComplete, operatorsOf } from './filters.ts'

const FilterEditor = lazy(async () => ({ default: (await import('./filter-editor.tsx')).FilterEditor }))

interface FilterBarProps {
  fields: readonly Field[]
  filters: readonly Filter[]
  onChange: (filters: Filter[]) => void
}

export function FilterBar({ fields, filters, onChange }: FilterBarProps) {
  const [draft, setDraft] = useState<Filter>()
  const [isPicking, setPicking] = useState(false)
  const byKey = new Map(fields.map(field => [field.key, field]))
  const add = (key: string) => {
    const field = byKey.get(key)
    setPicking(false)
    if (field) setDraft({ field: key, op: operatorsOf(field)[0] ?? 'eq' })
  }
  const draftField = draft && byKey.get(draft.field)
  return (
    <>
      {filters.map((filter, index) => {
        const field = byKey.get(filter.field)
        const remove = () => onChange(filters.toSpliced(index, 1))
        // the link of an import's result
        if (filter.field === 'operation_id')
          return (
            <span key={filter.field} className={CHIP}>
              <span className="px-2 font-medium">From one import</span>
              <RemoveButton label="import" onRemove={remove} />
            </span>
          )
        return field ? (
          <Chip
            key={JSON.stringify(filter)}
            field={field}
            filter={filter}
            onChange={next => onChange(filters.toSpliced(index, 1, next))}
            onRemove={remove}
          />
        ) : null
      })}
      {draft && draftField && (
        <Chip
          field={draftField}
          filter={draft}
          isNew
          onChange={next => {
            setDraft(undefined)
            onChange([...filters, next])
          }}
          onRemove={() => setDraft(undefined)}
        />
      )}
      <Popover
        label="Add a filter"
        isOpen={isPicking}
        onOpenChange={setPicking}
        className=""
        trigger={
          <Button variant="ghost" size="sm">
            <ListFilter size={14} />
            Filter
          </Button>
        }
      >
        <Picker
          label="Field to filter by"
          placeholder="Filter by…"
          items={fields.map(({ key, label }) => ({ value: key, label }))}
          value={null}
          onChange={item => item && add(item.value)}
        />
      </Popover>
      {filters.length > 0 && (
        <Button variant="ghost" size="sm" onClick={() => onChange([])}>
          Clear
        </Button>
      )}
    </>
  )
}

const CHIP = 'flex h-6 max-w-90 shrink-0 items-center rounded-md border border-line-strong bg-surface text-xs'

const RemoveButton = ({ label, onRemove }: { label: string; onRemove: () => void }) => (
  <button
    type="button"
    aria-label={`Remove the filter by ${label}`}
    onClick={onRemove}
    className="flex h-full items-center rounded-r-md px-1 text-ink-3 hover:bg-hover hover:text-ink"
  >
    <X size={12} />
  </button>
)

interface ChipProps {
  field: Field
  filter: Filter
  isNew?: boolean
  onChange: (filter: Filter) => void
  onRemove: () => void
}

/** The change applies when the editor closes; an incomplete filter that is new is dropped. */
function Chip({ field, filter, isNew = false, onChange, onRemove }: ChipProps) {
  const [isOpen, setOpen] = useState(isNew)
  const [edited, setEdited] = useState(filter)
  const close = (next = edited) => {
    setOpen(false)
    if (!isComplete(next)) {
      if (isNew) onRemove()
      else setEdited(filter)
    } else if (isNew || JSON.stringify(next) !== JSON.stringify(filter)) onChange(next)
  }
  const trigger = (
    <button
      type="button"
      className="flex h-full min-w-0 items-center gap-1 rounded-l-md pr-1 pl-2 hover:bg-hover data-popup-open:bg-hover"
    >
      <FilterText field={field} filter={edited} />
    </button>
  )
  return (
    <span className={CHIP}>
      <Popover
        label={`Filter by ${field.label}`}
        trigger={trigger}
        isOpen={isOpen}
        onOpenChange={open => (open ? setOpen(true) : close())}
        className=""
      >
        <Suspense fallback={<div className="h-40 w-64" />}>
          <FilterEditor field={field} filter={edited} onChange={setEdited} onDone={close} />
        </Suspense>
      </Popover>
      <RemoveButton label={field.label} onRemove={onRemove} />
    </span>
  )
}
