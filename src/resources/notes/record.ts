/** A note, in markdown, on one record (its entity) and perhaps on further ones. */
import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import type { Link, Target } from '../../kernel/links.ts'
import { defineRecord, type Filter } from '../../kernel/resource.ts'
import {
  boolean,
  dict,
  type Infer,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
} from '../../kernel/schema/index.ts'
import { living } from '../../kernel/statements.ts'
import { tiedTo } from '../activities/filters.ts'
import { activityTarget } from '../activities/record.ts'
import { account, base, idList, referenceItems, shortText, targets } from '../shared/fields.ts'
import { tagFilter } from '../tags/filter.ts'

export const ENTITY_TYPES = ['company', 'contact', 'deal', 'activity'] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** What a note can be on. */
export const entityTargets: Record<EntityType, Target> = {
  company: targets.company,
  contact: targets.contact,
  deal: targets.deal,
  activity: activityTarget,
}

/** The field that lists the records of a type that a note is tied to; its entity is one of them. */
export const LINK_FIELDS = [
  { type: 'company', field: 'company_ids' },
  { type: 'contact', field: 'contact_ids' },
  { type: 'deal', field: 'deal_ids' },
] as const

const noteInput = object(
  {
    title: shortText(),
    content: text({ min: 1, max: 100_000, description: 'Markdown' }),
    entity_type: optional(nullable(oneOf(ENTITY_TYPES))),
    entity_id: optional(
      nullable(uuid({ description: 'Together with entity_type: the record the note is on' })),
    ),
    company_ids: idList,
    contact_ids: idList,
    deal_ids: idList,
    is_pinned: withDefault(boolean(), false),
    attachments: optional(dict()),
    metadata: optional(dict()),
  },
  { title: 'NoteCreate' },
)

const link = (target: 'company' | 'contact' | 'deal'): Link => ({
  table: `note_${targets[target].table}`,
  own: 'note_id',
  other: `${target}_id`,
  target: targets[target],
})

/** The entity is shown while it lives, like every tie. */
const entityLives = (ctx: Ctx) =>
  sql`(case r.entity_type ${sql.join(
    ENTITY_TYPES.map(
      type => sql`when ${sql.lit(type)} then exists (
        select from ${living(ctx, entityTargets[type].table)} e where e.id = r.entity_id)`,
    ),
    sql` `,
  )} end)`

const tied = (target: 'company' | 'contact' | 'deal'): Filter =>
  tiedTo(`note_${targets[target].table}`, 'note_id', `${target}_id`, targets[target])

export const note = defineRecord({
  table: 'notes',
  label: 'Note',
  entityType: 'note',
  input: noteInput,
  output: object(
    {
      ...base,
      ...noteInput.fields,
      company_ids: referenceItems,
      contact_ids: referenceItems,
      deal_ids: referenceItems,
      user_id: nullable(uuid({ description: 'Who wrote it' })),
      ...account,
    },
    { title: 'Note' },
  ),
  computed: {
    entity_type: ctx => sql`(case when ${entityLives(ctx)} then r.entity_type end)`,
    entity_id: ctx => sql`(case when ${entityLives(ctx)} then r.entity_id end)`,
  },
  links: { company_ids: link('company'), contact_ids: link('contact'), deal_ids: link('deal') },
  search: 'text',
  hasBytes: true,
  filters: {
    entity_type: {
      schema: oneOf(ENTITY_TYPES),
      where: (ctx, value) => sql`(r.entity_type = ${value} and ${entityLives(ctx)})`,
    },
    entity_id: {
      schema: uuid(),
      where: (ctx, value) => sql`(r.entity_id = ${value} and ${entityLives(ctx)})`,
    },
    user_id: { schema: uuid(), where: (_, value) => sql`r.user_id = ${value}` },
    is_pinned: {
      schema: boolean(),
      // as the index on the pinned ones is declared
      where: (_, value: boolean) => (value ? sql`r.is_pinned` : sql`not r.is_pinned`),
    },
    company_id: tied('company'),
    contact_id: tied('contact'),
    deal_id: tied('deal'),
    tag: tagFilter,
  },
})
export type NoteInput = Infer<typeof note.input>
export type Note = Infer<typeof note.output>
