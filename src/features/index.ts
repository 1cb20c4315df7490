/** What reads or changes many resources, one line each. */
import type { Endpoint, Resource } from '../kernel/resource.ts'
import { bulkUpdateEndpoints } from './bulk/bulk-update.ts'
import { matchers } from './bulk/matchers.ts'
import { upsertEndpoint } from './bulk/upsert.ts'
import { operationEndpoints } from './operations/index.ts'
import { queryEndpoints } from './query/index.ts'
import { timelineEndpoints } from './timeline/index.ts'

export function featureEndpoints(resources: readonly Resource[]): Endpoint[] {
  const records = resources.filter(({ record }) => record.entityType !== undefined)
  const upsertable = records.filter(({ record }) => record.entityType! in matchers)
  return [
    ...operationEndpoints,
    ...bulkUpdateEndpoints(records),
    ...upsertable.map(resource => upsertEndpoint(resource, matchers[resource.record.entityType!]!)),
    ...queryEndpoints(records),
    ...timelineEndpoints(records),
  ]
}
