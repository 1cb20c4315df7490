/** The endpoints and jobs of all features. A feature reads or changes records of several resources. */
import { type Chore, handlersByName, type JobHandler } from '../kernel/jobs.ts'
import { type Endpoint, isSetResource, type Resource } from '../kernel/resource.ts'
import { askEndpoint } from './ask/endpoint.ts'
import { attachmentEndpoints } from './assistant/attachments/endpoints.ts'
import { chatFiles } from './assistant/attachments/files.ts'
import { readAttachmentHandler, readAttachmentJob } from './assistant/attachments/read.ts'
import { exportChatEndpoint } from './assistant/export.ts'
import { feedbackEndpoints } from './assistant/feedback.ts'
import { assistantEndpoints } from './assistant/index.ts'
import { proposalEndpoints } from './assistant/proposals/endpoints.ts'
import { sharePageEndpoint } from './assistant/share-page.ts'
import { scheduledBackups } from './backup/schedule.ts'
import { calendarFeedEndpoints } from './calendar/index.ts'
import { deleteAccountEndpoint } from './erase/account.ts'
import { deleteAccountHandler, deleteAccountJob } from './erase/account-job.ts'
import { eraseEndpoint, removeCopiesHandler, removeCopiesJob } from './erase/index.ts'
import { eventEndpoints } from './events/index.ts'
import { inboundMailEndpoint } from './inbound/index.ts'
import { forgetOldJobs } from './jobs/forget.ts'
import { jobEndpoints } from './jobs/index.ts'
import { mailEndpoints } from './mail/index.ts'
import { sendHandler, sendJob } from './mail/send.ts'
import { publicPageEndpoints } from './public-pages/index.ts'
import { audioFiles, removeAudioHandler, removeAudioJob } from './recordings/files.ts'
import { transcriptionEndpoints } from './recordings/index.ts'
import { transcribeHandler, transcribeJob } from './recordings/run.ts'
import { batchEndpoint } from './records/bulk/batch.ts'
import { bulkUpdateEndpoints } from './records/bulk/bulk-update.ts'
import { matchers } from './records/bulk/matchers.ts'
import { upsertEndpoint } from './records/bulk/upsert.ts'
import { fileEndpoints } from './records/files/index.ts'
import { recordFiles } from './records/files/store.ts'
import { convertEndpoint } from './records/leads/convert.ts'
import { duplicatesEndpoint } from './records/merge/duplicates.ts'
import { MERGEABLE } from './records/merge/followers.ts'
import { mergeEndpoint } from './records/merge/merge.ts'
import { notDuplicatesEndpoint } from './records/merge/not-duplicates.ts'
import { operationEndpoints } from './records/operations/index.ts'
import { queryEndpoints } from './records/query/index.ts'
import { timelineEndpoints } from './records/timeline/index.ts'
import { viewEndpoints } from './records/views/index.ts'
import { searchEndpoints } from './search/index.ts'
import { demoHandler, demoJob } from './setup/demo-job.ts'
import { setupEndpoints } from './setup/index.ts'
import { transferFiles } from './transfer/exports/files.ts'
import { exportEndpoints } from './transfer/exports/index.ts'
import { exportHandler, exportJob } from './transfer/exports/run.ts'
import { validateHandler, validateJob } from './transfer/imports/dry-run.ts'
import { importEndpoints } from './transfer/imports/index.ts'
import { revertHandler, revertJob } from './transfer/imports/revert.ts'
import { importHandler, importJob } from './transfer/imports/run.ts'
import { webhookEndpoints } from './webhooks/index.ts'
import { forgetOldDeliveries } from './webhooks/prune.ts'

export function featureEndpoints(resources: readonly Resource[]): Endpoint[] {
  const jobs = featureJobs(resources)
  const records = resources.filter(isSetResource)
  const mergeable = records.filter(({ record }) => MERGEABLE.includes(record.entityType ?? ''))
  return [
    ...operationEndpoints,
    ...jobEndpoints(jobs),
    ...exportEndpoints(records),
    ...transcriptionEndpoints,
    ...importEndpoints(records, jobs),
    ...bulkUpdateEndpoints(records),
    ...records.flatMap(resource => {
      const matcher = matchers[resource.record.entityType ?? '']
      if (!matcher) return []
      return [upsertEndpoint(resource, matcher), batchEndpoint(resource, matcher)]
    }),
    ...mergeable.flatMap(resource => [
      duplicatesEndpoint(resource),
      notDuplicatesEndpoint(resource),
      mergeEndpoint(resource),
    ]),
    convertEndpoint,
    ...mailEndpoints,
    eraseEndpoint,
    deleteAccountEndpoint,
    ...assistantEndpoints,
    ...proposalEndpoints,
    ...attachmentEndpoints,
    ...feedbackEndpoints,
    exportChatEndpoint,
    sharePageEndpoint,
    ...publicPageEndpoints,
    ...queryEndpoints(records),
    ...viewEndpoints(),
    ...fileEndpoints,
    ...timelineEndpoints(records),
    ...searchEndpoints(resources),
    askEndpoint,
    ...calendarFeedEndpoints,
    inboundMailEndpoint,
    ...setupEndpoints,
    ...eventEndpoints(resources),
    ...webhookEndpoints(resources),
  ]
}

/** The handlers of all jobs by name. */
export const featureJobs = (resources: readonly Resource[]): ReadonlyMap<string, JobHandler> =>
  handlersByName(
    [
      exportJob,
      importJob,
      validateJob,
      revertJob,
      removeCopiesJob,
      deleteAccountJob,
      transcribeJob,
      removeAudioJob,
      sendJob,
      demoJob,
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
      deleteAccountHandler,
      sendHandler,
      demoHandler,
      readAttachmentHandler,
    ],
  )

/** Periodic housekeeping. */
export const chores: Chore[] = [
  scheduledBackups,
  transferFiles.sweep,
  audioFiles.sweep,
  chatFiles.sweep,
  recordFiles.sweep,
  forgetOldJobs,
  forgetOldDeliveries,
]
