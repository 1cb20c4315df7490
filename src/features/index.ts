/** What reads or changes many resources, one line each. */
import { type Chore, handlersByName, type JobHandler } from '../kernel/jobs.ts'
import type { Endpoint, Resource } from '../kernel/resource.ts'
import { attachmentEndpoints } from './assistant/attachments/endpoints.ts'
import { chatFiles } from './assistant/attachments/files.ts'
import { readAttachmentHandler, readAttachmentJob } from './assistant/attachments/read.ts'
import { exportChatEndpoint } from './assistant/export.ts'
import { feedbackEndpoints } from './assistant/feedback.ts'
import { assistantEndpoints } from './assistant/index.ts'
import { proposalEndpoints } from './assistant/proposals/endpoints.ts'
import { sharePageEndpoint } from './assistant/share-page.ts'
import { bulkUpdateEndpoints } from './bulk/bulk-update.ts'
import { matchers } from './bulk/matchers.ts'
import { upsertEndpoint } from './bulk/upsert.ts'
import { eraseEndpoint, removeCopiesHandler, removeCopiesJob } from './erase/index.ts'
import { transferFiles } from './exports/files.ts'
import { exportEndpoints } from './exports/index.ts'
import { exportHandler, exportJob } from './exports/run.ts'
import { validateHandler, validateJob } from './imports/dry-run.ts'
import { importEndpoints } from './imports/index.ts'
import { revertHandler, revertJob } from './imports/revert.ts'
import { importHandler, importJob } from './imports/run.ts'
import { forgetOldJobs } from './jobs/forget.ts'
import { jobEndpoints } from './jobs/index.ts'
import { mailEndpoints } from './mail/index.ts'
import { sendHandler, sendJob } from './mail/send.ts'
import { duplicatesEndpoint } from './merge/duplicates.ts'
import { followers } from './merge/followers.ts'
import { mergeEndpoint } from './merge/merge.ts'
import { operationEndpoints } from './operations/index.ts'
import { publicPageEndpoints } from './public-pages/index.ts'
import { queryEndpoints } from './query/index.ts'
import { queryKinds } from './query/selection.ts'
import { searchEndpoints } from './search/index.ts'
import { timelineEndpoints } from './timeline/index.ts'
import { audioFiles, removeAudioHandler, removeAudioJob } from './transcriptions/files.ts'
import { transcriptionEndpoints } from './transcriptions/index.ts'
import { transcribeHandler, transcribeJob } from './transcriptions/run.ts'

export function featureEndpoints(resources: readonly Resource[]): Endpoint[] {
  const jobs = featureJobs(resources)
  const kinds = queryKinds(resources)
  const records = resources.filter(({ record }) => record.entityType !== undefined)
  const upsertable = records.filter(({ record }) => record.entityType! in matchers)
  const mergeable = records.filter(({ record }) => record.entityType! in followers)
  return [
    ...operationEndpoints,
    ...jobEndpoints(jobs),
    ...exportEndpoints(records, kinds),
    ...transcriptionEndpoints,
    ...importEndpoints(records, jobs),
    ...bulkUpdateEndpoints(records, kinds),
    ...upsertable.map(resource => upsertEndpoint(resource, matchers[resource.record.entityType!]!)),
    ...mergeable.flatMap(resource => [duplicatesEndpoint(resource), mergeEndpoint(resource)]),
    ...mailEndpoints,
    eraseEndpoint,
    ...assistantEndpoints,
    ...proposalEndpoints,
    ...attachmentEndpoints,
    ...feedbackEndpoints,
    exportChatEndpoint,
    sharePageEndpoint,
    ...publicPageEndpoints,
    ...queryEndpoints(records, kinds),
    ...timelineEndpoints(records),
    ...searchEndpoints(resources),
  ]
}

/** Every job by its name, with the handler that does it. */
export const featureJobs = (resources: readonly Resource[]): ReadonlyMap<string, JobHandler> =>
  handlersByName(
    [
      exportJob,
      importJob,
      validateJob,
      revertJob,
      removeCopiesJob,
      transcribeJob,
      removeAudioJob,
      sendJob,
      readAttachmentJob,
    ],
    [
      exportHandler(resources),
      importHandler(resources),
      validateHandler(resources),
      revertHandler,
      transcribeHandler,
      removeAudioHandler,
      removeCopiesHandler,
      sendHandler,
      readAttachmentHandler,
    ],
  )

/** What is done from time to time. */
export const chores: Chore[] = [transferFiles.sweep, audioFiles.sweep, chatFiles.sweep, forgetOldJobs]
