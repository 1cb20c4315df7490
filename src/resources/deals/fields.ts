/** A deal, field by field. */
import {
  boolean,
  date,
  datetime,
  dict,
  type Infer,
  int,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  uuid,
} from '../../kernel/schema/index.ts'
import { STAGE_TYPES } from '../pipelines/record.ts'
import { externalIdsInput, externalIdsOutput } from '../shared/external-ids.ts'
import {
  account,
  base,
  categoryNames,
  customFieldsMirror,
  favoriteFlag,
  idList,
  longText,
  referenceItem,
  referenceItems,
  shortText,
} from '../shared/fields.ts'
import { currency } from './currency.ts'

/** Sums of as many deals as an account can have stay exact enough, and finite. */
export const MAX_AMOUNT = 1e15
const amount = () => number({ min: 0, max: MAX_AMOUNT })
const someId = () => optional(nullable(uuid()))

const dealCurrency = {
  ...currency,
  json: {
    ...currency.json,
    description:
      'ISO 4217; default: the currency of the account. It cannot be changed while the deal has line items, whose prices are in it.',
  },
}

export const dealInput = object(
  {
    name: text({ min: 1, max: 255 }),
    amount: optional(nullable(amount())),
    currency: optional(dealCurrency),
    pipeline_id: optional(
      uuid({
        description:
          'Default: that of the stage, or else the default pipeline. Without stage_id, the deal is put into its first open stage.',
      }),
    ),
    stage_id: optional(uuid({ description: 'Default: the first open stage of the pipeline' })),
    probability: optional(
      nullable(
        int({
          min: 0,
          max: 100,
          description: 'null: that of the stage. Moving to another stage sets it to null.',
        }),
      ),
    ),
    expected_close_date: optional(nullable(date())),
    closed_at: optional(
      nullable(
        datetime({
          description:
            'When it was won or lost, not in the future; default: now. Only for a deal in a won or lost stage.',
        }),
      ),
    ),
    stage_entered_at: optional(
      datetime({
        description:
          'When it entered its stage, not in the future and not before it entered the previous stage; default: now',
      }),
    ),
    lost_reason: shortText({ description: 'Only a lost deal has one' }),
    company_id: someId(),
    associated_company_ids: idList,
    associated_contact_ids: idList,
    primary_contact_id: someId(),
    owner_id: someId(),
    deal_type: shortText(),
    lead_source: shortText(),
    next_step: shortText(),
    priority: optional(nullable(oneOf(['low', 'medium', 'high']))),
    description: longText(),
    notes: longText(),
    position: optional(
      number({
        min: -MAX_AMOUNT,
        max: MAX_AMOUNT,
        description:
          'The order within the stage, lowest first; fractions are allowed. To put a deal at ' +
          'the n-th position, use move.',
      }),
    ),
    categories: categoryNames,
    metadata: optional(dict()),
    external_ids: externalIdsInput,
  },
  {
    title: 'DealCreate',
    examples: [{ name: 'Acme renewal', amount: 12000, currency: 'EUR', expected_close_date: '2027-03-31' }],
  },
)
export type DealInput = Infer<typeof dealInput>

const fields = dealInput.fields

export const dealOutput = object(
  {
    ...base,
    name: fields.name,
    amount: fields.amount,
    amount_source: nullable(
      oneOf(['manual', 'line_items'], {
        description:
          'manual: set by hand. line_items: the sum of the line items before tax; setting `amount` to null makes it so. null: there is no amount.',
      }),
    ),
    currency: text({ examples: ['EUR'] }),
    pipeline_id: uuid(),
    stage_id: uuid(),
    pipeline: referenceItem,
    stage: referenceItem,
    status: oneOf(STAGE_TYPES, { description: 'The type of the stage' }),
    probability: int({ min: 0, max: 100, description: 'That of the deal if set, else that of the stage' }),
    weighted_amount: nullable(number({ description: 'amount × probability / 100' })),
    expected_close_date: fields.expected_close_date,
    closed_at: nullable(datetime({ description: 'When it was won or lost' })),
    lost_reason: fields.lost_reason,
    company_id: fields.company_id,
    associated_company_ids: referenceItems,
    associated_contact_ids: referenceItems,
    primary_contact_id: fields.primary_contact_id,
    owner_id: fields.owner_id,
    deal_type: fields.deal_type,
    lead_source: fields.lead_source,
    next_step: fields.next_step,
    priority: fields.priority,
    description: fields.description,
    notes: fields.notes,
    position: number({ description: 'The order within the stage, lowest first' }),
    stage_entered_at: datetime(),
    days_in_stage: int({ min: 0 }),
    is_rotten: boolean({
      description: 'Open, and in its stage for longer than rotten_after_days of the stage',
    }),
    last_activity_at: nullable(datetime()),
    next_activity_at: nullable(datetime()),
    categories: categoryNames,
    metadata: dict(),
    created_by: nullable(uuid()),
    ...account,
    is_favorite: favoriteFlag,
    custom_fields: customFieldsMirror,
    external_ids: externalIdsOutput,
  },
  { title: 'Deal' },
)
export type Deal = Infer<typeof dealOutput>
