/** A saved view: a named query with the columns to show. */
import { sql } from 'kysely'
import { defineRecord } from '../../../kernel/resource.ts'
import {
  boolean,
  dict,
  type Infer,
  type JsonSchema,
  list,
  object,
  optional,
  text,
  uuid,
  withDefault,
} from '../../../kernel/schema/index.ts'
import { account, base, favoriteFilter, favoriteFlag, isFavorite } from '../../../resources/shared/fields.ts'
import { querySchema } from '../query/index.ts'

const MAX_COLUMNS = 50

const entity = text({ min: 1, max: 50, description: 'The kind of record', examples: ['deal'] })
const columns = list(text({ min: 1, max: 200 }), {
  max: MAX_COLUMNS,
  description:
    'Fields of the records and of related ones (`company.country`), returned as `cells` in the results of the view',
})
const sharing = boolean({ description: 'All members can see it; its owner and admins can change it' })

const input = object(
  {
    name: text({ min: 1, max: 255 }),
    entity,
    query: {
      ...dict({ description: 'A query as `POST /api/query` takes it; its `entity` is that of the view' }),
      json: { ...querySchema.json, title: 'ViewQuery', required: [] },
    },
    columns: optional(columns),
    is_shared: withDefault(sharing, false),
  },
  { title: 'ViewCreate' },
)

export const view = defineRecord({
  table: 'views',
  label: 'View',
  input,
  output: object(
    {
      ...base,
      ...account,
      user_id: uuid({ description: 'Owner' }),
      name: input.fields.name,
      entity,
      query: { ...querySchema, json: asStored(querySchema.json) },
      columns,
      is_shared: sharing,
      is_favorite: favoriteFlag,
    },
    { title: 'View' },
  ),
  computed: { is_favorite: isFavorite('view') },
  visible: ctx => sql`(r.user_id = ${ctx.user} or r.is_shared)`,
  search: 'text',
  hasBytes: true,
  filters: {
    is_favorite: favoriteFilter('view'),
    entity: { schema: text(), where: (_, value) => sql`r.entity = ${value}` },
    is_shared: { schema: boolean(), where: (_, value) => sql`r.is_shared = ${value}` },
    user_id: { schema: uuid(), where: (_, value) => sql`r.user_id = ${value}` },
  },
})

export type ViewInput = Infer<typeof view.input>
export type View = Infer<typeof view.output>

/** A view returns its query as the client sent it, so optional fields of the request may be absent in the response. */
function asStored(json: JsonSchema): JsonSchema {
  const { properties, items, anyOf, allOf, title } = json
  if (properties && Object.values(properties).every(({ sometimes }) => sometimes)) return json
  const stored = Object.entries(properties ?? {}).map(([name, property]) => {
    const inner = asStored(property)
    return [name, json.required?.includes(name) ? inner : { ...inner, sometimes: true }]
  })
  return {
    ...json,
    ...(title === undefined ? {} : { title: `Stored${title}` }),
    ...(properties ? { properties: Object.fromEntries(stored) } : {}),
    ...(items ? { items: asStored(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(asStored) } : {}),
    ...(allOf ? { allOf: allOf.map(asStored) } : {}),
  }
}
