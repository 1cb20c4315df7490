/**
 * Some rows of a file, from their drafts to what becomes of them. The result is that of taking them one after the
 * other: rows that are about the same record are dealt with in rounds, the later ones when the earlier ones are in.
 */
import type { Ctx } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import type { Resource } from '../../kernel/resource.ts'
import { datetime, type Issue, type Schema, uuid } from '../../kernel/schema/index.ts'
import { type Currencies, settleCurrency } from './amount-currency.ts'
import { type Draft, type MappedColumn, rowError } from './drafts.ts'
import type { KeySet } from './key-set.ts'
import { type Match, matches, namedStates } from './match.ts'
import type { Outcome } from './outcomes.ts'
import { issueErrors, located } from './outcomes.ts'
import { resolveTies } from './resolve.ts'
import { checkInput, noteFurtherErrors, type SetWriter, type Write, writeRows } from './write.ts'

export interface Plan {
  resource: Resource
  writer: SetWriter | undefined
  columns: MappedColumn[]
  strategy: 'skip' | 'update' | 'create'
  matchOn: string[]
  createCompanies: boolean
  currencies: Currencies
  /** in a dry run: what earlier rows would have made, as far as later ones could be matched with it */
  seen?: KeySet
}

/** A row is written once the record it is about is known. */
interface Aimed {
  draft: Draft
  target: string | undefined
}

export async function importRows(
  tx: Ctx,
  plan: Plan,
  drafts: readonly Draft[],
): Promise<Map<Draft, Outcome>> {
  const outcomes = new Map<Draft, Outcome>()
  for (const draft of drafts) {
    checkRecordFields(draft)
    settleCurrency(draft, plan.currencies)
    if (draft.errors.length > 0) noteFurtherErrors(plan.resource, draft)
  }
  let open = drafts.filter(draft => draft.errors.length === 0)
  for (const draft of drafts) if (draft.errors.length > 0) outcomes.set(draft, 'failed')
  while (open.length > 0) {
    const { now, later, aimed } = await nextRound(tx, plan, open, outcomes)
    await writeRound(tx, plan, aimed, outcomes)
    if (plan.seen) for (const { keys } of now) for (const key of keys) plan.seen.add(key)
    open = later
  }
  for (const draft of drafts) {
    draft.errors = draft.errors.map(error => located(error, draft, plan.columns))
    draft.warnings = draft.warnings.map(warning => located(warning, draft, plan.columns))
  }
  return outcomes
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

interface Round {
  now: Match[]
  later: Draft[]
  aimed: Aimed[]
}

/** The rows of which no two are about the same record, and what each is about. */
async function nextRound(
  tx: Ctx,
  plan: Plan,
  open: readonly Draft[],
  outcomes: Map<Draft, Outcome>,
): Promise<Round> {
  const { record } = plan.resource
  const states = await namedStates(tx, record.table, open)
  const matched = plan.strategy === 'create' ? undefined : await matches(tx, record, plan.matchOn, open)
  const claimed = new Set<string>()
  const round: Round = { now: [], later: [], aimed: [] }
  for (const [i, draft] of open.entries()) {
    const match = matched?.[i] ?? { keys: [], ids: [] }
    const target = draft.id !== undefined && states.has(draft.id) ? draft.id : match.ids[0]
    const marks = [
      ...match.keys,
      ...(target === undefined ? [] : [target]),
      ...(draft.id === undefined ? [] : [draft.id]),
    ]
    if (marks.some(mark => claimed.has(mark))) {
      round.later.push(draft)
      continue
    }
    for (const mark of marks) claimed.add(mark)
    round.now.push(match)
    const outcome = aim(plan, draft, match, target, states)
    if (outcome === 'go') round.aimed.push({ draft, target })
    else outcomes.set(draft, outcome)
  }
  return round
}

/** What is to be done with a row whose record is here already. */
function aim(
  { strategy, resource, seen }: Plan,
  draft: Draft,
  match: Match,
  target: string | undefined,
  states: ReadonlyMap<string, 'living' | 'trashed'>,
): Outcome | 'go' {
  const label = resource.record.label.toLowerCase()
  const fail = (code: string, message: string): Outcome => {
    draft.errors.push(rowError(code, message, draft.id ?? null, null, draft.id === undefined ? null : 'id'))
    return 'failed'
  }
  if (draft.id !== undefined && states.get(draft.id) === 'trashed') {
    return fail('in_trash', `The ${label} with this id is in the trash: restore it first`)
  }
  // In a dry run the record that an earlier row would have made is not there.
  const isRepeat = target === undefined && match.keys.some(key => seen?.has(key))
  if (target === undefined && !isRepeat) return 'go'
  if (strategy === 'skip') return 'skipped'
  if (strategy === 'create') return fail('id_taken', `There is a ${label} with this id already`)
  if (draft.id === undefined && match.ids.length > 1) {
    return fail('ambiguous_match', `Several ${resource.tag.toLowerCase()} match this row`)
  }
  return isRepeat ? 'updated' : 'go'
}

async function writeRound(
  tx: Ctx,
  plan: Plan,
  aimed: readonly Aimed[],
  outcomes: Map<Draft, Outcome>,
): Promise<void> {
  const { resource, writer, createCompanies, seen } = plan
  const { promised } = await resolveTies(
    tx,
    resource.record,
    aimed.map(({ draft }) => draft),
    { createCompanies },
  )
  const writes: Write[] = []
  for (const { draft, target } of aimed) {
    const input = checkInput(resource, draft, target)
    if (draft.errors.length > 0) outcomes.set(draft, 'failed')
    else writes.push({ draft, target, id: target ?? draft.id ?? newId(), input })
  }
  const written = await writeRows(tx, resource, writer, writes, promised, seen !== undefined)
  for (const [draft, outcome] of written) outcomes.set(draft, outcome)
}
