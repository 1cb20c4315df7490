/** A job as the API shows it: its name, progress and result. */
import { sql } from 'kysely'
import { defineRecord } from '../../kernel/resource.ts'
import {
  datetime,
  dict,
  type Infer,
  int,
  nullable,
  object,
  oneOf,
  text,
  uuid,
} from '../../kernel/schema/index.ts'

export const JOB_STATES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

const count = (description: string) => int({ min: 0, max: Number.MAX_SAFE_INTEGER, description })

export const jobOutput = object(
  {
    id: uuid(),
    created_at: datetime(),
    updated_at: datetime(),
    account_id: uuid(),
    name: text({ examples: ['import', 'export'] }),
    entity_id: nullable(uuid({ description: 'The import or export that the job works on' })),
    status: oneOf(JOB_STATES),
    progress: object({
      done: count('Steps done'),
      total: nullable(count('Total steps, once known')),
    }),
    attempts: int({ min: 0, description: 'How often it has failed so far' }),
    max_attempts: int({ min: 1 }),
    run_at: datetime({ description: 'The earliest time of the next attempt' }),
    started_at: nullable(datetime()),
    finished_at: nullable(datetime()),
    result: nullable(dict()),
    error: nullable(text()),
    user_id: nullable(uuid({ description: 'Who started it' })),
  },
  { title: 'Job' },
)

export const job = defineRecord({
  table: 'jobs',
  label: 'Job',
  input: object({}),
  output: jobOutput,
  computed: { progress: () => sql`json_build_object('done', r.done, 'total', r.total)` },
  // Jobs are not journaled, so `record_counts` does not include them. A list with `visible` counts its rows instead.
  visible: () => sql`true`,
  filters: {
    status: { schema: oneOf(JOB_STATES), where: (_, value) => sql`r.status = ${value}` },
    name: { schema: text({ max: 100 }), where: (_, value) => sql`r.name = ${value}` },
    entity_id: { schema: uuid(), where: (_, value) => sql`r.entity_id = ${value}` },
  },
})
export type JobInput = Infer<typeof job.input>
export type Job = Infer<typeof job.output>
