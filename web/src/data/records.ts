/** Reading and writing the records of any group of the typed client. */
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { showError, showRefusal } from '#components/toast.tsx'
import { changeCached, recordIn, restoreCached, type Snapshot } from './cache.ts'
import { queryClient, refreshLists } from './client.ts'
import { forgetDrafts } from './drafts.ts'
import { ChangedMeanwhile, type FieldEdit, inOrder, writeEdit } from './field-edit.ts'
import { readField } from './field-types.ts'
import {
  type CreateOf,
  type ListGroup,
  type ListQuery,
  methodsOf,
  type RecordOf,
  type UpdateOf,
  type WriteGroup,
} from './groups.ts'
import { keys, previousOf } from './keys.ts'
import { whileUnanswered } from './unanswered.ts'
import { offerUndo } from './undo.ts'

/** A list, read in pages by cursor: `items` has all pages so far. For 100,000 rows see screens/lists/rows.ts. */
export function useList<G extends ListGroup>(
  group: G,
  query: ListQuery<G>,
  options: { enabled?: boolean } = {},
) {
  const result = useInfiniteQuery({
    queryKey: keys.list(group, query),
    queryFn: ({ pageParam, signal }) =>
      methodsOf<RecordOf<G>>(group).list({ ...query, cursor: pageParam }, { signal }),
    initialPageParam: '',
    getNextPageParam: page => page.next_cursor ?? undefined,
    placeholderData: previousOf(group),
    ...options,
  })
  const pages = result.data?.pages
  const items = useMemo(() => pages?.flatMap(page => page.items) ?? [], [pages])
  return { ...result, items, total: pages?.[0]?.total ?? 0 }
}

export function useRecord<G extends ListGroup>(group: G, id: string | undefined) {
  return useQuery({
    queryKey: keys.record(group, id ?? ''),
    queryFn: ({ signal }) => methodsOf<RecordOf<G>>(group).get(id ?? '', { signal }),
    enabled: id !== undefined,
  })
}

export { refreshLists } from './client.ts'

interface WriteOptions {
  /** what a refused write throws is shown by the form, so no message is */
  isForm?: boolean
}

export function useCreate<G extends WriteGroup>(group: G, { isForm = false }: WriteOptions = {}) {
  return useMutation({
    mutationFn: (record: CreateOf<G>) => methodsOf<RecordOf<G>>(group).create(record),
    onSuccess: () => refreshLists(group),
    onError: error => {
      if (!isForm) showError(error)
    },
  })
}

interface Update<G extends WriteGroup> {
  id: string
  changes: UpdateOf<G>
  /** what the toast with Undo says; absent: no toast */
  message?: string
  /** the same in the form of the record, where it differs: links are written as ids and read with names */
  shown?: object
  /** opens the editor again, from the message that says why the change was refused */
  editAgain?: () => void
  /** the edit of a field that these changes are: refused if somebody else has changed the field meanwhile */
  edit?: FieldEdit
}

/**
 * Writes changes as a merge patch and shows them at once; an error reverts them, and only them, and shows why. Custom
 * fields are written as `metadata: { key: value }`.
 */
export function useUpdate<G extends WriteGroup>(group: G, { isForm = false }: WriteOptions = {}) {
  const methods = methodsOf<RecordOf<G> & { id: string }>(group)
  return useMutation({
    mutationFn: ({ id, changes, edit }: Update<G>) =>
      whileUnanswered(() =>
        inOrder(id, () =>
          edit ? writeEdit(methods, id, changes as object, edit) : methods.patch(id, changes),
        ),
      ),
    onMutate: async ({ id, changes, shown }): Promise<Snapshot> => {
      await queryClient.cancelQueries({ queryKey: keys.record(group, id) })
      return changeCached(queryClient, group, id, record => merged(record, changes as object, shown))
    },
    onError: (error, { id, changes, shown, editAgain }, before) => {
      const old = oldRecord(before, id)
      if (old) changeCached(queryClient, group, id, record => reverted(record, old, changes as object, shown))
      if (error instanceof ChangedMeanwhile) changeCached(queryClient, group, id, () => error.stored)
      if (!isForm) showRefusal(error, editAgain && { label: 'Edit again', run: editAgain })
    },
    onSuccess: (record, { id, changes, message, edit }, before) => {
      forgetDrafts({ id }, changes as object)
      changeCached(queryClient, group, id, () => record)
      const old = oldRecord(before, id)
      if (!message || !old) return
      const field = edit?.field
      offerUndo(message, {
        kind: 'patch',
        ...{ group, id, changes: reversed(changes as object, old) },
        ...(field
          ? { edit: { ...edit, value: readField(old, field), before: readField(record, field) } }
          : {}),
      })
    },
  })
}

const oldRecord = (before: Snapshot | undefined, id: string) => before?.[0] && recordIn(before[0][1], id)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The record after the changes; `custom_fields` shows the content of `metadata`. */
function merged<T extends object>(record: T, changes: object, shown: object = {}): T {
  const metadata = 'metadata' in changes && isObject(changes.metadata) ? changes.metadata : undefined
  const old = 'metadata' in record && isObject(record.metadata) ? record.metadata : {}
  const values = { ...old, ...metadata }
  return { ...record, ...changes, ...(metadata ? { metadata: values, custom_fields: values } : {}), ...shown }
}

/** The record without refused changes; what else has changed since remains. */
function reverted<T extends object>(
  record: T,
  old: Record<string, unknown>,
  changes: object,
  shown: object = {},
): T {
  const { metadata, ...fields } = changes as { metadata?: unknown }
  const restore = (names: string[], from: unknown) =>
    Object.fromEntries(names.map(name => [name, isObject(from) ? from[name] : undefined]))
  const own = restore(Object.keys({ ...fields, ...shown }), old)
  if (!isObject(metadata) || !('metadata' in record) || !isObject(record.metadata))
    return { ...record, ...own }
  const values = { ...record.metadata, ...restore(Object.keys(metadata), old.metadata) }
  return { ...record, ...own, metadata: values, custom_fields: values }
}

/** The changes that undo these. Links are read as `{ id, name }` and written as ids. */
function reversed(changes: object, old: Record<string, unknown>): object {
  const before = Object.entries(changes).map(([field, value]) => {
    const was = old[field] ?? null
    if (isObject(value) && isObject(was)) return [field, reversed(value, was)]
    return [
      field,
      Array.isArray(was) ? was.map(item => (isObject(item) && 'id' in item ? item.id : item)) : was,
    ]
  })
  return Object.fromEntries(before)
}

interface Deletion {
  id: string
  name: string
  /** leaves the page of the record first: what it reads again meanwhile would not be found */
  leave?: () => Promise<unknown>
}

/** Moves a record to the trash; the toast's Undo restores it. */
export function useDelete<G extends WriteGroup>(group: G) {
  const methods = methodsOf(group)
  return useMutation({
    mutationFn: async ({ id, leave }: Deletion) => {
      await leave?.()
      return methods.delete(id)
    },
    onMutate: ({ id }): Snapshot => changeCached(queryClient, group, id, () => undefined),
    onError: (error, _record, before) => {
      if (before) restoreCached(queryClient, before)
      showError(error)
    },
    onSuccess: (_nothing, { id, name }) => {
      // so that its page, opened again, shows that the record is gone
      queryClient.removeQueries({ queryKey: keys.record(group, id), type: 'inactive' })
      void refreshLists(group)
      offerUndo(`Deleted ${name}`, { kind: 'restore', group, id })
    },
  })
}
