import { crud } from '../../kernel/crud.ts'
import type { Resource } from '../../kernel/resource.ts'
import { recordOperations } from '../shared/record-operations.ts'
import { subLists } from '../shared/sub-lists.ts'
import { calendarEndpoint } from './calendar.ts'
import { type Activity, type ActivityInput, activity } from './record.ts'
import { activityOperations, stateEndpoints } from './rules.ts'

const base = crud(activity)
const operations = recordOperations(activity, activityOperations(base))

const resource: Resource<ActivityInput, Activity> = {
  name: 'activities',
  idParam: 'activity_id',
  tag: 'Activities',
  record: base.record,
  operations,
}

export const activities: Resource<ActivityInput, Activity> = {
  ...resource,
  endpoints: [
    calendarEndpoint(base.record),
    ...stateEndpoints(operations),
    ...subLists(resource, ['contact', 'company', 'deal']),
  ],
}
