/** A note, in markdown, on one record (its entity) and perhaps on further ones. */
import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
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
import { linkedTo } from '../activities/filters.ts'
import { type KindWith, kind, kindsWith, linkFrom, targets } from '../kinds.ts'
import { account, base, idList, referenceItems, shortText } from '../shared/fields.ts'
import { howToTag, tagFilter } from '../tags/filter.ts'

/** The kinds of record that a note can be on. */
export const ENTITY_TYPES = kindsWith('notable')
export type EntityType = KindWith<'notable'>

export const linkTo = (type: EntityType) => linkFrom(`note_${targets[type].table}`, 'note')

/** The fields that list the records of a kind that a note is linked to; its entity is one of them. */
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
    entity_id: optional(nullable(uuid({ description: 'With entity_type: the record that the note is on' }))),
    company_ids: idList,
    contact_ids: idList,
    deal_ids: idList,
    is_pinned: withDefault(boolean(), false),
    attachments: optional(dict()),
    metadata: optional(dict()),
  },
  {
    title: 'NoteCreate',
    examples: [
      {
        content: 'Prefers calls in the morning.',
        entity_type: 'contact',
        entity_id: '01993a60-8c00-7000-8000-000000000001',
      },
    ],
  },
)

/** The entity is shown while it is not in the trash, like every link. */
const entityLives = (ctx: Ctx) =>
  sql`(case r.entity_type ${sql.join(
    ENTITY_TYPES.map(
      type => sql`when ${sql.lit(type)} then exists (
        select from ${living(ctx, targets[type].table)} e where e.id = r.entity_id)`,
    ),
    sql` `,
  )} end)`

/** The fields of a note about its entity. */
export const shownEntity = {
  entity_type: (ctx: Ctx) => sql`(case when ${entityLives(ctx)} then r.entity_type end)`,
  entity_id: (ctx: Ctx) => sql`(case when ${entityLives(ctx)} then r.entity_id end)`,
}

/** `company_id`, `contact_id`, …: the notes on one record */
const byRecord: Record<string, Filter> = Object.fromEntries(
  ENTITY_TYPES.map(type => [`${type}_id`, linkedTo(linkTo(type))]),
)

export const note = defineRecord({
  ...kind('note'),
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
  computed: shownEntity,
  links: { company_ids: linkTo('company'), contact_ids: linkTo('contact'), deal_ids: linkTo('deal') },
  createHint: howToTag('note'),
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
    ...byRecord,
    tag: tagFilter,
  },
})
export type NoteInput = Infer<typeof note.input>
export type Note = Infer<typeof note.output>
