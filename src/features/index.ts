/** What reads or changes many resources, one line each. */
import type { Endpoint, Resource } from '../kernel/resource.ts'
import { bulkUpdateEndpoints } from './bulk/bulk-update.ts'
import { matchers } from './bulk/matchers.ts'
import { upsertEndpoint } from './bulk/upsert.ts'
import { duplicatesEndpoint } from './merge/duplicates.ts'
import { followers } from './merge/followers.ts'
import { mergeEndpoint } from './merge/merge.ts'
import { operationEndpoints } from './operations/index.ts'
import { queryEndpoints } from './query/index.ts'
import { timelineEndpoints } from './timeline/index.ts'

export function featureEndpoints(resources: readonly Resource[]): Endpoint[] {
  const records = resources.filter(({ record }) => record.entityType !== undefined)
  const upsertable = records.filter(({ record }) => record.entityType! in matchers)
  const mergeable = records.filter(({ record }) => record.entityType! in followers)
  return [
    ...operationEndpoints,
    ...bulkUpdateEndpoints(records),
    ...upsertable.map(resource => upsertEndpoint(resource, matchers[resource.record.entityType!]!)),
    ...mergeable.flatMap(resource => [duplicatesEndpoint(resource), mergeEndpoint(resource)]),
    ...queryEndpoints(records),
    ...timelineEndpoints(records),
  ]
}
