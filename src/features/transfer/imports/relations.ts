/** Which `on_missing` rule applies to a field, and the existing names that it is checked against. */
import type { Ctx } from '../../../kernel/context.ts'
import type { RecordType } from '../../../kernel/resource.ts'
import type { ImportField } from './fields.ts'
import { type Member, membersOf, type StageInfo, stagesOf } from './lookups.ts'
import type { Missing } from './options.ts'
import { turnedName } from './people-names.ts'
import { readList } from './values.ts'

/** Which choice of `on_missing` is about a field that names records. */
const MISSING: Record<string, Missing> = {
  owner_id: 'owner',
  assignee_id: 'owner',
  created_by: 'author',
  stage_id: 'stage',
  pipeline_id: 'pipeline',
}
const BY_TABLE: Record<string, Missing> = { companies: 'company', contacts: 'contact', deals: 'deal' }

export const missingOf = (field: string, table: string): Missing | undefined =>
  MISSING[field] ?? BY_TABLE[table]

/** Records that are few enough to load them all: the people of the account, its pipelines and stages. */
export interface Existing {
  members: readonly Member[]
  stages: readonly StageInfo[]
}

export async function loadExisting(ctx: Ctx, record: RecordType): Promise<Existing> {
  return {
    members: await membersOf(ctx),
    stages: record.entityType === 'deal' ? await stagesOf(ctx) : [],
  }
}

export const sameName = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** By the name or the id of the pipeline. */
export const isOfPipeline = (stage: StageInfo, pipeline: string): boolean =>
  stage.pipeline_id === pipeline.trim().toLowerCase() || sameName(stage.pipeline_name, pipeline)

/** The choice of `on_missing` for a field whose names `knownNames` can check. */
export const checkedMissing = ({ destination, choices }: ImportField): Missing | undefined =>
  choices ? 'option' : destination.at === 'link' ? MISSING[destination.field] : undefined

/** Whether a value of such a field exists; undefined where that cannot be checked cheaply. */
export function knownNames(field: ImportField, existing: Existing): ((value: string) => boolean) | undefined {
  const { destination, choices, several } = field
  if (choices) {
    const isKnown = (value: string) => choices.find(value) !== undefined
    return value => isKnown(value) || (several && readList(value).every(isKnown))
  }
  if (destination.at !== 'link') return undefined
  const among = (names: string[]) => {
    const keys = new Set(names.map(name => name.trim().toLowerCase()))
    return (value: string) => keys.has(value.trim().toLowerCase())
  }
  switch (MISSING[destination.field]) {
    case 'owner':
    case 'author': {
      const isKnown = among(existing.members.flatMap(({ user_id, name, email }) => [user_id, name, email]))
      return value => isKnown(value) || isKnown(turnedName(value) ?? '')
    }
    case 'stage':
      return among(existing.stages.flatMap(({ id, name }) => [id, name]))
    case 'pipeline':
      return among(existing.stages.flatMap(({ pipeline_id, pipeline_name }) => [pipeline_id, pipeline_name]))
    default:
      return undefined
  }
}
