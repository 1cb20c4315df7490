/** The filters as chips; each opens its editor. */
import { ListFilter, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Picker } from '#components/picker.tsx'
import { Popover } from '#components/popover.tsx'
import type { Field } from '#data/field-types.ts'
import { useDebounced } from '#lib/use-debounced.ts'
import { FilterText } from './filter-text.tsx'
import { type Filter, isComplete, operatorsOf } from './filters.ts'

const FilterEditor = lazy(async () => ({ default: (await import('./filter-editor.tsx')).FilterEditor }))

interface FilterBarProps {
  fields: readonly Field[]
  filters: readonly Filter[]
  /** `isStep`: one of several while a person types or chooses, which adds no entry to the history */
  onChange: (filters: Filter[], isStep?: boolean) => void
}

const PAUSE_MS = 200

export function FilterBar({ fields, filters, onChange }: FilterBarProps) {
  /** a new filter, until the list has as many */
  const [draft, setDraft] = useState<{ index: number; filter: Filter }>()
  const [isPicking, setPicking] = useState(false)
  const byKey = new Map(fields.map(field => [field.key, field]))
  const add = (key: string) => {
    const field = byKey.get(key)
    setPicking(false)
    if (!field) return
    setDraft({ index: filters.length, filter: { field: key, op: operatorsOf(field)[0] ?? 'eq' } })
  }
  useEffect(() => setDraft(one => (one && one.index < filters.length ? undefined : one)), [filters.length])
  // A draft is the last chip, and the same one once it is complete, so that its editor stays open.
  const chips = draft?.index === filters.length ? [...filters, draft.filter] : filters
  return (
    <>
      {chips.map((filter, index) => {
        const field = byKey.get(filter.field)
        const remove = () => {
          setDraft(undefined)
          if (index < filters.length) onChange(filters.toSpliced(index, 1))
        }
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
            // biome-ignore lint/suspicious/noArrayIndexKey: the position of a filter is all that stays while it is edited
            key={`${index} ${filter.field}`}
            field={field}
            filter={filter}
            isNew={index === filters.length}
            onChange={(next, isStep) => onChange(filters.toSpliced(index, 1, next), isStep)}
            onRemove={remove}
          />
        ) : null
      })}
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
  isNew: boolean
  onChange: (filter: Filter, isStep: boolean) => void
  onRemove: () => void
}

/** A change applies as soon as its value is complete. A filter without a value is dropped when its editor closes. */
function Chip({ field, filter, isNew, onChange, onRemove }: ChipProps) {
  const [isOpen, setOpen] = useState(isNew)
  const [edited, setEdited] = useState(filter)
  const isStep = useRef(false)
  const apply = (next: Filter) => {
    if (!isComplete(next) || (!isNew && JSON.stringify(next) === JSON.stringify(filter))) return
    onChange(next, isStep.current)
    isStep.current = true
  }
  const settled = useDebounced(edited, PAUSE_MS)
  const latest = useRef(apply)
  latest.current = apply
  useEffect(() => {
    if (isOpen && settled === edited) latest.current(settled)
  }, [settled, edited, isOpen])
  const open = () => {
    isStep.current = false
    setEdited(filter)
    setOpen(true)
  }
  const close = (next = edited) => {
    setOpen(false)
    if (isComplete(next)) apply(next)
    else if (isNew || Array.isArray(next.value)) onRemove()
  }
  const trigger = (
    <button
      type="button"
      className="flex h-full min-w-0 items-center gap-1 rounded-l-md pr-1 pl-2 hover:bg-hover data-popup-open:bg-hover"
    >
      <FilterText field={field} filter={isOpen ? edited : filter} />
    </button>
  )
  return (
    <span className={CHIP}>
      <Popover
        label={`Filter by ${field.label}`}
        trigger={trigger}
        isOpen={isOpen}
        onOpenChange={next => (next ? open() : close())}
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
