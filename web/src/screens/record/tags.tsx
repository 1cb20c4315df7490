/** The tags of the record: each can be removed, others added or created. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { Badge } from '#components/badge.tsx'
import { IconButton } from '#components/button.tsx'
import { Popover } from '#components/popover.tsx'
import { TagPicker } from '#components/tag-picker.tsx'
import { showError } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { useIsWriter } from '#data/session.ts'
import { offerUndoOf } from '#data/undo.ts'
import type { Subject } from './subject.ts'

interface Tag {
  id: string
  name: string
}

interface Change {
  tag: Tag
  remove: boolean
}

function useTags({ group, kind, id }: Subject) {
  const queryKey = keys.other('tags', 'record', { kind, id })
  const path = { entity_type: kind, entity_id: id }
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Tag[]> =>
      (await kith.request('GET', '/api/tags/records/{entity_type}/{entity_id}', { path, signal })).tag_ids,
  })
  const { mutate } = useMutation({
    // by its operation it can be undone
    mutationFn: ({ tag, remove }: Change) =>
      kith.request('POST', '/api/tags/bulk-assign', {
        body: { tag_ids: [tag.id], entity_type: kind, entity_ids: [id], remove },
      }),
    onMutate: async ({ tag, remove }) => {
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<Tag[]>(queryKey, (tags = []) =>
        remove ? tags.filter(one => one.id !== tag.id) : [...tags, tag],
      )
    },
    onError: showError,
    onSuccess: ({ operation_id }, { tag, remove }) =>
      offerUndoOf(remove ? `Removed the tag ${tag.name}` : `Tagged with ${tag.name}`, operation_id),
    onSettled: () =>
      Promise.all(
        // the timeline has the tag, too
        [queryKey, keys.other(group, 'timeline', { id })].map(one =>
          queryClient.invalidateQueries({ queryKey: one }),
        ),
      ),
  })
  return { tags: data ?? [], mutate }
}

export function Tags({ subject }: { subject: Subject }) {
  const { tags, mutate } = useTags(subject)
  const isWriter = useIsWriter()
  const value = tags.map(({ id, name }) => ({ value: id, label: name }))
  const choose = (picked: { value: string; label: string }[]) => {
    for (const { value: id, label: name } of picked)
      if (!tags.some(tag => tag.id === id)) mutate({ tag: { id, name }, remove: false })
    for (const tag of tags) if (!picked.some(one => one.value === tag.id)) mutate({ tag, remove: true })
  }
  return (
    <section aria-label="Tags" className="mt-5">
      <header className="flex h-7 items-center gap-1.5">
        <h2 className="text-xs font-medium text-ink-3">Tags</h2>
        {isWriter && (
          <Popover
            label="Tags of this record"
            align="end"
            className=""
            trigger={
              <IconButton label="Add tags" className="ml-auto">
                <Plus size={14} />
              </IconButton>
            }
          >
            <TagPicker value={value} onChange={choose} />
          </Popover>
        )}
      </header>
      <ul className="flex flex-wrap gap-1">
        {tags.map(tag => (
          <li key={tag.id} className="flex max-w-full">
            <Badge>
              <span className="truncate">{tag.name}</span>
              {isWriter && (
                <button
                  type="button"
                  aria-label={`Remove the tag ${tag.name}`}
                  onClick={() => mutate({ tag, remove: true })}
                  className="-mr-1 ml-0.5 rounded-sm p-0.5 text-ink-3 hover:bg-hover hover:text-ink"
                >
                  <X size={11} />
                </button>
              )}
            </Badge>
          </li>
        ))}
      </ul>
    </section>
  )
}
