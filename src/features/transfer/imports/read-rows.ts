/** The rows of a file as drafts, with all that is wrong with them by themselves. */
import { setImmediate as turn } from 'node:timers/promises'
import { datetime, type Issue, type Schema, uuid } from '../../../kernel/schema/index.ts'
import { settleCurrency } from './amount-currency.ts'
import type { CsvRecord } from './csv-parser.ts'
import type { Draft } from './draft.ts'
import { draftOf } from './drafts.ts'
import { issueErrors } from './outcomes.ts'
import type { Plan } from './types.ts'
import { noteFurtherErrors, readAhead } from './write.ts'

/** Reading a batch takes some milliseconds: requests get their turn in between. */
export async function readRows(records: readonly CsvRecord[], plan: Plan): Promise<Draft[]> {
  const drafts: Draft[] = []
  for (const [i, record] of records.entries()) {
    drafts.push(readRow(record, plan))
    if (i % 50 === 49) await turn()
  }
  return drafts
}

function readRow(record: CsvRecord, plan: Plan): Draft {
  const draft = draftOf(record, plan.columns, plan.width)
  checkRecordFields(draft)
  settleCurrency(draft, plan.currencies)
  plan.families?.prune(draft)
  if (draft.errors.length > 0) noteFurtherErrors(plan.resource, draft)
  else readAhead(plan.resource, draft)
  return draft
}

const RECORD_FIELDS: Record<'id' | 'created_at' | 'updated_at', Schema<string>> = {
  id: uuid(),
  created_at: datetime(),
  updated_at: datetime(),
}

function checkRecordFields(draft: Draft): void {
  for (const [name, schema] of Object.entries(RECORD_FIELDS) as ['id', Schema<string>][]) {
    if (draft[name] === undefined) continue
    const issues: Issue[] = []
    draft[name] = schema.check(draft[name], ['body', name], issues)
    draft.errors.push(...issueErrors(issues))
  }
}
