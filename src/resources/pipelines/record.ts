/** Pipelines and the stages that they are made of. */
import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import type { Target } from '../../kernel/links.ts'
import { defineRecord } from '../../kernel/resource.ts'
import {
  boolean,
  type Infer,
  int,
  list,
  nullable,
  object,
  oneOf,
  optional,
  rule,
  text,
  uuid,
  withDefault,
  without,
} from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'
import { account, base, labelName, longText, shortText } from '../shared/fields.ts'

export const STAGE_TYPES = ['open', 'won', 'lost'] as const
export type StageType = (typeof STAGE_TYPES)[number]

export const MAX_STAGES = 100
const MAX_DAYS = 36_500

const stageInput = object(
  {
    pipeline_id: optional(uuid({ description: 'Default: the default pipeline. It cannot be changed' })),
    name: labelName({ max: 255 }),
    type: withDefault(oneOf(STAGE_TYPES, { description: 'The status of the deals in it' }), 'open'),
    probability: optional(
      int({
        min: 0,
        max: 100,
        description:
          'Default for a new stage and for one whose type changes: for an open stage that of the open stage before it (0 for the first), 100 for a won and 0 for a lost stage',
      }),
    ),
    position: optional(
      int({
        min: 0,
        max: 1_000_000,
        description: 'Its position among the stages of the pipeline, from 0. Default: last of its type.',
      }),
    ),
    color: shortText(),
    rotten_after_days: optional(
      nullable(
        int({
          min: 1,
          max: MAX_DAYS,
          description: 'The number of days in this stage after which an open deal is rotten',
        }),
      ),
    ),
  },
  {
    title: 'StageCreate',
    examples: [
      { pipeline_id: '01993a60-8c00-7000-8000-000000000001', name: 'Demo', type: 'open', probability: 40 },
    ],
  },
)

/** The fields of a stage in responses. */
export const stageFields = {
  name: text(),
  type: oneOf(STAGE_TYPES),
  probability: int({ min: 0, max: 100 }),
  position: int({ min: 0 }),
  color: nullable(text()),
  rotten_after_days: nullable(int({ min: 1 })),
}

const stageOutput = object(
  {
    ...base,
    ...account,
    pipeline_id: uuid(),
    ...stageFields,
    deals_count: int({ min: 0 }),
  },
  { title: 'Stage' },
)

/** A stage of a pipeline that is created with its stages: their order is that of the list. */
const newStage = without(stageInput, ['pipeline_id', 'position'], { title: 'NewStage' })
export type NewStage = Infer<typeof newStage>

export const targets = {
  pipeline: { table: 'pipelines', label: 'Pipeline', name: 'name' },
  stage: { table: 'stages', label: 'Stage', name: 'name' },
} satisfies Record<string, Target>

export const stage = defineRecord({
  table: 'stages',
  label: 'Stage',
  input: stageInput,
  output: stageOutput,
  computed: {
    deals_count: ctx => sql`(select count(*) from ${living(ctx, 'deals')} d where d.stage_id = r.id)`,
  },
  ruleReferences: { pipeline_id: targets.pipeline },
  search: 'text',
  defaultSort: { by: 'position', order: 'asc' },
  filters: {
    pipeline_id: { schema: uuid(), where: (_, value) => sql`r.pipeline_id = ${value}` },
    type: { schema: oneOf(STAGE_TYPES), where: (_, value) => sql`r.type = ${value}` },
  },
})
export type StageInput = Infer<typeof stage.input>
export type Stage = Infer<typeof stage.output>

const moment = (column: string) =>
  sql`to_char(s.${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A pipeline in the trash shows the stages that were deleted with it. */
const stagesInOrder = (ctx: Ctx) => sql`(
  select coalesce(json_agg(json_build_object(
    'id', s.id, 'created_at', ${moment('created_at')}, 'updated_at', ${moment('updated_at')},
    'account_id', s.account_id, 'pipeline_id', s.pipeline_id, 'name', s.name, 'type', s.type,
    'probability', s.probability, 'position', s.position, 'color', s.color,
    'rotten_after_days', s.rotten_after_days,
    'deals_count', (select count(*) from ${living(ctx, 'deals')} d where d.stage_id = s.id)
  ) order by s.position, s.id), '[]'::json)
  from ${rows(ctx, 'stages')} s where s.pipeline_id = r.id and s.deleted_at is not distinct from r.deleted_at)`

const pipelineInput = object(
  {
    name: labelName({ max: 255, description: 'Unique, ignoring case' }),
    description: longText(),
    is_default: optional(
      boolean({
        description:
          'The pipeline of new deals. There is exactly one: setting it on another pipeline clears it here.',
      }),
    ),
    is_archived: optional(boolean({ description: 'No further deals can be added' })),
    position: optional(int({ min: 0, description: 'The order of the pipelines; default: last' })),
  },
  { title: 'PipelineFields', examples: [{ name: 'Partners' }] },
)

/** The body of create. `stages` is no part of the update: a client may send back a pipeline with its stages. */
export const pipelineCreate = object(
  {
    ...pipelineInput.fields,
    stages: optional(
      rule(
        list(newStage, {
          min: 1,
          max: MAX_STAGES,
          description: 'In order, at least one of them open. Default: six common stages.',
        }),
        stages =>
          stages.some(({ type }) => type === 'open') ? undefined : 'a pipeline needs at least one open stage',
      ),
    ),
  },
  {
    title: 'PipelineCreate',
    examples: [
      {
        name: 'Partners',
        stages: [
          { name: 'Contacted', probability: 20 },
          { name: 'Signed', type: 'won' },
          { name: 'Declined', type: 'lost' },
        ],
      },
    ],
  },
)
export type PipelineCreate = Infer<typeof pipelineCreate>

export const pipeline = defineRecord({
  table: 'pipelines',
  label: 'Pipeline',
  input: pipelineInput,
  output: object(
    {
      ...base,
      ...account,
      name: text(),
      description: nullable(text()),
      is_default: boolean(),
      is_archived: boolean(),
      position: int({ min: 0 }),
      stages: list(stageOutput, { description: 'In order' }),
    },
    { title: 'Pipeline' },
  ),
  computed: { stages: stagesInOrder },
  search: 'text',
  defaultSort: { by: 'position', order: 'asc' },
  filters: {
    is_default: { schema: boolean(), where: (_, value) => sql`r.is_default = ${value}` },
    is_archived: { schema: boolean(), where: (_, value) => sql`r.is_archived = ${value}` },
  },
})
export type PipelineInput = Infer<typeof pipeline.input>
export type Pipeline = Infer<typeof pipeline.output>
