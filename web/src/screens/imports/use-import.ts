/** Reading, changing and running one import. */
import type { Schemas } from '@kith/client'
import { useMutation } from '@tanstack/react-query'
import { showError } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { hasEnded, type Job, useJob } from '#data/jobs.ts'
import { keys } from '#data/keys.ts'
import { refreshLists, useRecord } from '#data/records.ts'
import { type Import, isBusy } from './kinds.ts'

export type Settings = Schemas['ImportUpdate']

const store = (record: Import) => queryClient.setQueryData(keys.record('imports', record.id), record)

const readAgain = (id: string) => queryClient.invalidateQueries({ queryKey: keys.record('imports', id) })

/** The import, with its counts as they grow while its job runs. */
export function useImport(id: string) {
  const result = useRecord('imports', id)
  const current = result.data
  const job = useJob(current && isBusy(current) ? current.job_id : undefined, (state: Job) => {
    void readAgain(id)
    if (hasEnded(state)) void refreshLists('imports')
  })
  return { ...result, job }
}

/** As the service merges it: what a change does not name stays. */
const merged = (record: Import, { mapping, value_mapping, options }: Settings): Import => ({
  ...record,
  status: 'uploaded',
  mapping: { ...record.mapping, ...mapping },
  value_mapping: {
    ...record.value_mapping,
    ...Object.fromEntries(
      Object.entries(value_mapping ?? {}).map(([column, values]) => [
        column,
        { ...(record.value_mapping[column] as object | undefined), ...(values as object) },
      ]),
    ),
  },
  options: {
    ...record.options,
    ...options,
    on_missing: { ...record.options.on_missing, ...options?.on_missing },
  },
})

/** Changes settings: shown at once, sent one after the other. */
export function useSettings(id: string) {
  const mutationKey = ['import settings', id]
  return useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: (body: Settings) =>
      kith.request('PUT', '/api/imports/{import_id}', { path: { import_id: id }, body }),
    onMutate: change => {
      queryClient.setQueryData<Import>(keys.record('imports', id), record => record && merged(record, change))
    },
    onSuccess: record => {
      // an answer to an earlier change lacks the later ones
      if (queryClient.isMutating({ mutationKey }) === 1) store(record)
    },
    onError: error => {
      showError(error)
      void readAgain(id)
    },
  })
}

type Step = 'validate' | 'start' | 'cancel' | 'revert'

export function useStep(id: string) {
  return useMutation({
    mutationFn: (step: Step) =>
      kith.request('POST', `/api/imports/{import_id}/${step}`, { path: { import_id: id } }),
    onSuccess: record => {
      store(record)
      void refreshLists('imports')
    },
    onError: error => {
      showError(error)
      void readAgain(id)
    },
  })
}

export function useUpload() {
  return useMutation({
    mutationFn: (body: { file: File; entity_type: Import['entity_type'] }) =>
      kith.request('POST', '/api/imports', { body }),
    onSuccess: record => {
      store(record)
      void refreshLists('imports')
    },
    onError: showError,
  })
}
