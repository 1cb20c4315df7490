/** The actions for the selected rows. */
import { GitMerge, Pencil, Tag, Trash2, X } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { ListGroupName } from '#app/router.tsx'
import { Button, IconButton } from '#components/button.tsx'
import { Confirm } from '#components/dialog.tsx'
import { FieldControl } from '#components/fields/field-control.tsx'
import { Picker } from '#components/picker.tsx'
import { Popover } from '#components/popover.tsx'
import { changesOf, type Field, isEditable } from '#data/field-types.ts'
import { kindOf } from '#data/groups.ts'
import { useIsWriter } from '#data/session.ts'
import { formatNumber } from '#lib/format.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { countOf, deleteMany, updateMany } from './bulk-actions.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { TagPopover } from './tag-popover.tsx'

interface BulkBarProps {
  group: ListGroupName
  ids: ReadonlySet<string>
  total: number
  fields: readonly Field[]
  onSelectAll: () => void
  onClear: () => void
}

const MOST_MERGED = 21

/** As many as a person sees on a screen or two. */
const MOST_UNASKED = 100

export function BulkBar({ group, ids, total, fields, onSelectAll, onClear }: BulkBarProps) {
  const [isMerging, setMerging] = useState(false)
  const selected = [...ids]
  const remove = async () => {
    if (await deleteMany(group, selected)) onClear()
  }
  const [isAsking, setAsking] = useState(false)
  // Undo is in a message that goes after a while: so many are not deleted by a slip of the hand
  const askOrRemove = () => (ids.size > MOST_UNASKED ? setAsking(true) : void remove())
  const isWriter = useIsWriter()
  const removeByKey = isWriter ? askOrRemove : undefined
  useShortcuts({ escape: onClear, delete: removeByKey, 'mod+backspace': removeByKey })
  const mayMerge = group === 'contacts' || group === 'companies'
  return (
    <section
      aria-label="Selected rows"
      className="absolute bottom-4 left-1/2 z-10 flex max-w-[calc(100%-16px)] -translate-x-1/2 items-center gap-0.5 overflow-x-auto rounded-lg bg-raised p-1.5 shadow-float max-[719px]:w-full max-[719px]:flex-wrap"
    >
      <span className="px-2 font-medium whitespace-nowrap tabular">{formatNumber(ids.size)} selected</span>
      {ids.size < total && (
        <Button variant="ghost" size="sm" onClick={onSelectAll}>
          Select all {formatNumber(Math.min(total, 10_000))}
        </Button>
      )}
      {isWriter && (
        <>
          <span className="mx-1 h-4 w-px shrink-0 bg-line" />
          <EditPopover
            fields={fields}
            onApply={(field, value) =>
              updateMany(group, selected, changesOf(field, value), field.label.toLowerCase())
            }
            trigger={
              <Button variant="ghost" size="sm">
                <Pencil size={14} />
                Edit
              </Button>
            }
          />
          <TagPopover
            group={group}
            ids={selected}
            trigger={
              <Button variant="ghost" size="sm">
                <Tag size={14} />
                Tag
              </Button>
            }
          />
          {mayMerge && ids.size > 1 && ids.size <= MOST_MERGED && (
            <Button variant="ghost" size="sm" onClick={() => setMerging(true)}>
              <GitMerge size={14} />
              Merge
            </Button>
          )}
          <Button variant="ghost-danger" size="sm" onClick={askOrRemove}>
            <Trash2 size={14} />
            Delete
          </Button>
        </>
      )}
      <IconButton label="Clear the selection" onClick={onClear}>
        <X size={14} />
      </IconButton>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete ${countOf(kindOf(group), ids.size)}?`}
        action="Delete"
        onConfirm={() => void remove()}
      >
        They go to the trash, from which they can be restored, and Undo brings them back.
      </Confirm>
      {mayMerge && (
        <MergeDialog
          group={group}
          ids={selected}
          isOpen={isMerging}
          onClose={() => setMerging(false)}
          onMerged={onClear}
        />
      )}
    </section>
  )
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

interface EditPopoverProps {
  trigger: ReactElement
  fields: readonly Field[]
  onApply: (field: Field, value: unknown) => Promise<boolean>
}

/** First the field, then its value. An empty value empties the field, which the button says. */
function EditPopover({ trigger, fields, onApply }: EditPopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const [field, setField] = useState<Field>()
  const [value, setValue] = useState<unknown>(null)
  const close = (open: boolean) => {
    setOpen(open)
    setField(undefined)
    setValue(null)
  }
  const apply = async () => {
    if (field && (await onApply(field, value))) close(false)
  }
  return (
    <Popover
      trigger={trigger}
      label="Edit the selected rows"
      isOpen={isOpen}
      onOpenChange={close}
      className=""
    >
      {field ? (
        <form
          className="flex w-64 flex-col gap-2 p-3"
          onSubmit={event => {
            event.preventDefault()
            void apply()
          }}
        >
          <FieldControl field={field} onChange={setValue} autoFocus />
          <Button variant={isEmpty(value) ? 'secondary' : 'primary'} size="sm" type="submit">
            {isEmpty(value) ? 'Clear' : 'Set'} {field.label.toLowerCase()}
          </Button>
        </form>
      ) : (
        <Picker
          label="Field to edit"
          placeholder="Field…"
          items={fields.filter(isEditable).map(({ key, label }) => ({ value: key, label }))}
          value={null}
          onChange={item => setField(fields.find(({ key }) => key === item?.value))}
        />
      )}
    </Popover>
  )
}
