import { endpointsOf } from '../../kernel/general-endpoints.ts'
import type { SetResource } from '../../kernel/resource.ts'
import { boardEndpoint } from './board.ts'
import type { Deal, DealInput } from './fields.ts'
import { forecastEndpoint } from './forecast.ts'
import { lineItemEndpoints } from './line-items.ts'
import { moveEndpoint } from './move.ts'
import { dealOperations, dealRecord } from './operations.ts'
import { stageHistoryEndpoint } from './stage-history.ts'

const resource: SetResource<DealInput, Deal> = {
  name: 'deals',
  idParam: 'deal_id',
  tag: 'Deals',
  record: dealRecord,
  operations: dealOperations,
}

const restoration = endpointsOf(resource)
  .filter(({ path }) => path.endsWith('/restore'))
  .map(general => ({
    ...general,
    description: `${general.description} Where its stage is deleted, it comes into another one of the same type; 409 if there is none.`,
  }))

export const deals: SetResource<DealInput, Deal> = {
  ...resource,
  endpoints: [
    ...[boardEndpoint, forecastEndpoint, moveEndpoint, stageHistoryEndpoint],
    ...[...lineItemEndpoints, ...restoration],
  ],
}
