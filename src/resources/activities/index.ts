import type { SetResource } from '../../kernel/resource.ts'
import { subLists } from '../shared/sub-lists.ts'
import { calendarEndpoint } from './calendar.ts'
import type { Activity, ActivityInput } from './record.ts'
import { activityOperations as operations, stateEndpoints } from './rules.ts'

const resource: SetResource<ActivityInput, Activity> = {
  name: 'activities',
  idParam: 'activity_id',
  tag: 'Activities',
  record: operations.record,
  operations,
}

export const activities: SetResource<ActivityInput, Activity> = {
  ...resource,
  endpoints: [
    calendarEndpoint(operations.record),
    ...stateEndpoints,
    ...subLists(resource, ['contact', 'company', 'deal']),
  ],
}
