/** Tools for what people do most: notes, activities, moving deals, merging duplicates. */
import type { Endpoint } from '../../../kernel/endpoint.ts'
import { pathOf } from '../../../kernel/general-endpoints.ts'
import { dict, list, object, optional, published, uuid } from '../../../kernel/schema/index.ts'
import { kindsWith } from '../../../resources/kinds.ts'
import { callAsOperation, callEndpoint, type Json } from '../call.ts'
import {
  ADDS,
  CHANGES,
  changed,
  closed,
  isOffered,
  kindField,
  kindsFor,
  resourceOf,
  type Surroundings,
  type Tool,
  tool,
} from './tool.ts'

export const salesTools = (here: Surroundings): Tool[] => [
  ...mergeTool(here),
  ...endpointTool(here, here.routes('POST', '/api/notes'), {
    entityType: 'note',
    name: 'add_note',
    title: 'Add a note',
    description:
      'Writes a note in Markdown on a record: entity_type and entity_id name it; company_ids, contact_ids and deal_ids link further ones.',
    annotations: ADDS,
  }),
  ...endpointTool(here, here.routes('POST', '/api/activities'), {
    entityType: 'activity',
    name: 'log_activity',
    title: 'Log or plan an activity',
    description:
      'Logs a call, meeting, task or email that was done (status completed), or plans one (status planned with due_at or start_at). Link it to contacts, companies and deals.',
    annotations: ADDS,
  }),
  ...endpointTool(here, here.routes('POST', '/api/deals/{deal_id}/move'), {
    entityType: 'deal',
    name: 'move_deal',
    title: 'Move a deal to another stage',
    description:
      'Moves a deal to a stage of a pipeline; a won or lost stage closes it. describe_schema lists the stages.',
    annotations: CHANGES,
  }),
]

type Description = Pick<Tool, 'name' | 'title' | 'description' | 'annotations'> & { entityType: string }

/** An endpoint that writes, as a tool: its arguments are the body and the ids of the path. */
function endpointTool(
  { ctx, origin }: Surroundings,
  endpoint: Endpoint,
  { entityType, ...description }: Description,
): Tool[] {
  const { body, path, response } = endpoint
  if (!body || !response) throw new Error(`${path} has no schemas`)
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const json = published(body.json, 'request')
  const ids = Object.fromEntries(names.map(name => [name, uuid().json]))
  const one: Tool = {
    ...description,
    inputSchema: closed({
      ...json,
      properties: { ...ids, ...json.properties },
      required: [...names, ...(json.required ?? [])],
    }),
    outputSchema: published(changed.json, 'response'),
    run(args) {
      const inPath = (name: string) => names.includes(name)
      const entries = Object.entries(args)
      const params: Json = Object.fromEntries(entries.filter(([name]) => inPath(name)))
      const rest: Json = Object.fromEntries(entries.filter(([name]) => !inPath(name)))
      return callAsOperation(ctx, endpoint, origin, entityType, { params, body: rest })
    },
  }
  return isOffered(ctx, endpoint) ? [one] : []
}

const MAX_MERGED = 20

function mergeTool({ ctx, origin, routes }: Surroundings): Tool[] {
  const writable = kindsFor(ctx, 'write')
  const kinds = kindsWith('merged').filter(kind => writable.includes(kind))
  if (kinds.length === 0) return []
  const merge = tool({
    name: 'merge',
    title: 'Merge duplicates',
    description:
      'Merges records into the primary one, which keeps its id and takes what the others have: notes, activities, deals, tags and empty fields. The others go to the trash.',
    annotations: CHANGES,
    input: object({
      entity_type: kindField(kinds),
      primary_id: uuid(),
      secondary_ids: list(uuid(), { min: 1, max: MAX_MERGED }),
      overrides: optional(dict({ description: 'Fields that win over those of all records' })),
    }),
    output: changed,
    async run({ entity_type, ...body }) {
      const endpoint = routes('POST', `${pathOf(resourceOf(entity_type))}/merge`)
      const { operation_id, ...record } = await callEndpoint(ctx, endpoint, origin, { body })
      return { operation_id, record }
    },
  })
  return [merge]
}
