import { sql } from 'kysely'
import { nextActivityAt } from '../activities/next-activity.ts'
import { kind, targets } from '../kinds.ts'
import { targets as pipelineTargets } from '../pipelines/record.ts'
import { customFields, isFavorite } from '../shared/fields.ts'
import { customizable } from '../shared/record-operations.ts'
import * as computed from './computed.ts'
import { dealInput, dealOutput } from './fields.ts'
import { dealFilters } from './filters.ts'
import { companyLinks, contactLinks } from './links.ts'

/** The company and the primary contact, as long as they are not in the trash. */
export const namedLinkFields = {
  company_id: computed.linkedId('company_id', companyLinks),
  primary_contact_id: computed.linkedId('primary_contact_id', contactLinks),
}

export const deal = customizable({
  ...kind('deal'),
  input: dealInput,
  output: dealOutput,
  computed: {
    pipeline: computed.pipelineItem,
    stage: computed.stageItem,
    status: computed.status,
    lost_reason: computed.lostReason,
    probability: computed.probability,
    amount_source: computed.amountSource,
    weighted_amount: computed.weightedAmount,
    ...namedLinkFields,
    days_in_stage: computed.daysInStage,
    is_rotten: computed.isRotten,
    next_activity_at: nextActivityAt,
    is_favorite: isFavorite('deal'),
    custom_fields: customFields,
  },
  whenNew: { is_favorite: sql`false`, next_activity_at: sql`null::timestamptz` },
  links: { associated_company_ids: companyLinks, associated_contact_ids: contactLinks },
  references: {
    company_id: targets.company,
    primary_contact_id: targets.contact,
    owner_id: targets.member,
  },
  ruleReferences: { stage_id: pipelineTargets.stage, pipeline_id: pipelineTargets.pipeline },
  search: 'text',
  hasBytes: true,
  filters: dealFilters,
})
