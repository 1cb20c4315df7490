/** Categories and tags: rename in place, add with Enter, delete with Undo. */
import { X } from 'lucide-react'
import { IconButton } from '#components/button.tsx'
import { InlineText } from '#components/inline-text.tsx'
import { useCreate, useDelete, useList, useUpdate } from '#data/records.ts'
import { formatCount } from '#lib/format.ts'
import { AddRow } from './add-row.tsx'
import { Part, RowsSkeleton } from './part.tsx'
import { useRole } from './role.ts'

export default function Labels() {
  return (
    <>
      <Part
        title="Categories"
        description="A few stable groups of companies, contacts, deals or products, such as Customer or Partner."
      >
        <LabelList group="categories" one="category" />
      </Part>
      <Part title="Tags" description="Any number of short words on any record. People add them as they work.">
        <LabelList group="tags" one="tag" />
      </Part>
    </>
  )
}

function LabelList({ group, one }: { group: 'categories' | 'tags'; one: string }) {
  const { isWriter } = useRole()
  const { items, isLoading, hasNextPage, fetchNextPage } = useList(group, {
    sort_by: 'name',
    sort_order: 'asc',
    page_size: 200,
  })
  const create = useCreate(group, { isForm: true })
  const update = useUpdate(group, { isForm: true })
  const remove = useDelete(group)
  if (isLoading) return <RowsSkeleton count={4} />
  return (
    <div className="rounded-lg border border-line">
      {items.length === 0 && (
        <p className="px-3 py-3 text-ink-2">{`There is no ${one} yet. Write the first one below.`}</p>
      )}
      <ul aria-label={group} className="columns-2 gap-0 max-[719px]:columns-1">
        {items.map(({ id, name, usage_count }) => (
          <li key={id} className="group flex min-h-9 break-inside-avoid items-center gap-2 pr-2 pl-1.5">
            <div className="min-w-0 flex-1">
              <InlineText
                label={`Name of the ${one} ${name}`}
                value={name}
                maxLength={100}
                isDisabled={!isWriter}
                className="w-full"
                onCommit={text =>
                  update.mutateAsync({ id, changes: { name: text }, message: `Renamed to ${text}` })
                }
              />
            </div>
            <span className="shrink-0 text-xs text-ink-3 tabular">{formatCount(usage_count, 'record')}</span>
            {isWriter && (
              <IconButton label={`Delete the ${one} ${name}`} onClick={() => remove.mutate({ id, name })}>
                <X size={13} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <button
          type="button"
          className="h-9 px-3 text-ink-2 hover:text-ink"
          onClick={() => void fetchNextPage()}
        >
          Show more
        </button>
      )}
      {isWriter && (
        <AddRow
          label={`New ${one}`}
          placeholder={`Add a ${one}`}
          maxLength={100}
          onAdd={name => create.mutateAsync({ name })}
        />
      )}
    </div>
  )
}
