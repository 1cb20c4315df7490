import { nextActivityAt } from '../activities/coming.ts'
import { customFields, isFavorite, targets } from '../shared/fields.ts'
import { customizable } from '../shared/record-operations.ts'
import * as computed from './computed.ts'
import { dealInput, dealOutput } from './fields.ts'
import { dealFilters } from './filters.ts'
import { companyTies, contactTies } from './ties.ts'

export const deal = customizable({
  table: 'deals',
  label: 'Deal',
  entityType: 'deal',
  input: dealInput,
  output: dealOutput,
  computed: {
    pipeline: computed.pipelineItem,
    stage: computed.stageItem,
    status: computed.status,
    probability: computed.probability,
    weighted_amount: computed.weightedAmount,
    company_id: computed.namedTie('company_id', companyTies),
    primary_contact_id: computed.namedTie('primary_contact_id', contactTies),
    days_in_stage: computed.daysInStage,
    is_rotten: computed.isRotten,
    next_activity_at: nextActivityAt,
    is_favorite: isFavorite('deal'),
    custom_fields: customFields,
  },
  links: { associated_company_ids: companyTies, associated_contact_ids: contactTies },
  references: {
    company_id: targets.company,
    primary_contact_id: targets.contact,
    owner_id: targets.member,
  },
  search: 'text',
  hasBytes: true,
  filters: dealFilters,
})
