/** The items of a batch: their schema, and the validation of each before anything is written. */
import { updateSchema } from '../../../kernel/general-endpoints.ts'
import type { RecordInput, Resource } from '../../../kernel/resource.ts'
import { type Issue, type Loc, object, oneOf, type Schema, text, uuid } from '../../../kernel/schema/index.ts'
import { isRecord } from '../../../kernel/schema/types.ts'
import { unknownKeys } from '../../../kernel/strict.ts'

export type BatchItem =
  | { action: 'create'; record: RecordInput }
  | { action: 'update'; id: string; record: RecordInput }
  | { action: 'upsert'; match_on: string; record: RecordInput }

export interface BatchItems {
  /** accepts any value: `check` validates each item, so that an invalid one fails alone */
  schema: Schema<unknown>
  check(input: unknown, loc: Loc): { item: BatchItem } | { issues: Issue[] }
}

export function batchItems({ record }: Resource): BatchItems {
  const input: Schema<RecordInput> = record.input
  const change = updateSchema(record) as Schema<RecordInput>
  const shapes = {
    create: object({ action: oneOf(['create']), record: input }),
    update: object({ action: oneOf(['update']), id: uuid(), record: change }),
    upsert: object({ action: oneOf(['upsert']), match_on: text({ max: 120 }), record: change }),
  } satisfies { [A in BatchItem['action']]: Schema<Extract<BatchItem, { action: A }>> }
  const action = object({ action: oneOf(['create', 'update', 'upsert']) })

  return {
    // Strict handling does not look into `oneOf`: it would refuse the whole request for an unknown key of one item.
    schema: {
      json: { oneOf: Object.values(shapes).map(shape => shape.json) },
      optional: false,
      check: value => value,
    },
    check(value, loc) {
      const issues: Issue[] = []
      const shape = shapes[action.check(value, loc, issues)?.action]
      if (issues.length > 0) return { issues }
      const item = shape.check(value, loc, issues)
      if (isRecord(value)) {
        const { record: recordJson = {}, ...wrapper } = shape.json.properties ?? {}
        issues.push(...unknownKeys({ properties: { ...wrapper, record: {} } }, value, loc))
        issues.push(...unknownKeys(recordJson, value.record, [...loc, 'record'], record.output.json))
      }
      return issues.length > 0 ? { issues } : { item }
    },
  }
}
