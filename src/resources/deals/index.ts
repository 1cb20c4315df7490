import type { SetResource } from '../../kernel/resource.ts'
import { boardEndpoint } from './board.ts'
import type { Deal, DealInput } from './fields.ts'
import { forecastEndpoint } from './forecast.ts'
import { lineItemEndpoints } from './line-items.ts'
import { moveEndpoint } from './move.ts'
import { dealOperations, dealRecord } from './operations.ts'
import { stageHistoryEndpoint } from './stage-history.ts'

export const deals: SetResource<DealInput, Deal> = {
  name: 'deals',
  idParam: 'deal_id',
  tag: 'Deals',
  record: dealRecord,
  operations: dealOperations,
  endpoints: [boardEndpoint, forecastEndpoint, moveEndpoint, stageHistoryEndpoint, ...lineItemEndpoints],
}
