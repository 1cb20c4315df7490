/** What questions ask about deals. */
import { sql } from 'kysely'
import { rows } from '../../../../kernel/statements.ts'
import { column, dates, type Field, named, owner, value } from './field.ts'

export const DEAL: Field[] = [
  column('amount', 'money', /amounts?|values?|worth|price|revenue|size|money|volume|how (?:big|large)/),
  {
    key: 'probability',
    label: 'probability',
    said: /probabilit(?:y|ies)|likelihood|chances?|how likely|odds/,
    type: 'number',
    value: ctx =>
      sql`coalesce(r.probability, (select s.probability from ${rows(ctx, 'stages')} s where s.id = r.stage_id))`,
  },
  {
    key: 'stage_id',
    label: 'stage',
    said: /stages?|phases?|steps?|status(?:es)?/,
    type: 'text',
    value: ctx => named(ctx, 'stages', 'stage_id'),
    ...value,
  },
  {
    key: 'pipeline_id',
    label: 'pipeline',
    said: /pipelines/,
    type: 'text',
    value: ctx => named(ctx, 'pipelines', 'pipeline_id'),
    ...value,
  },
  {
    key: 'company_id',
    label: 'company',
    said: /compan(?:y|ies)|accounts?|customers?|clients?|organi[sz]ations?/,
    type: 'text',
    value: ctx => named(ctx, 'companies', 'company_id'),
    groups: true,
  },
  {
    key: 'primary_contact_id',
    label: 'contact',
    said: /(?:primary |main |key )?contacts?(?: persons?)?|persons?|people/,
    type: 'text',
    value: ctx => named(ctx, 'contacts', 'primary_contact_id', 'full_name'),
    groups: true,
  },
  owner,
  column(
    'expected_close_date',
    'day',
    /(?:expected )?clos(?:e|es|ing)(?: dates?| soon(?:est)?)?|expected to close|due to close|going to close|close dates?|due(?: dates?)?/,
    { label: 'expected close' },
  ),
  column('closed_at', 'time', /closed/, { label: 'closed' }),
  column('next_step', 'text', /next steps?|next actions?/),
  column('lost_reason', 'text', /(?:lost|loss|losing) reasons?|reasons?|why/, value),
  column('deal_type', 'text', /(?:deal )?types?/, value),
  column('lead_source', 'text', /(?:lead )?sources?|channels?/, value),
  column('priority', 'text', /priorit(?:y|ies)/, value),
  column('currency', 'text', /currenc(?:y|ies)/, { groups: true }),
  column('last_activity_at', 'time', /last activit(?:y|ies)|activity|activities|touched|inactive/, {
    label: 'last activity',
  }),
  column('stage_entered_at', 'time', /stuck|entered (?:the |this |its )?stage|moved/, {
    label: 'in its stage since',
  }),
  ...dates,
]
