/**
 * Some rows of a file, from their drafts to what becomes of them. The result is that of taking them one after the
 * other: rows that have something in common are dealt with in rounds, the later ones when the earlier ones are in.
 */
import type { Ctx } from '../../../kernel/context.ts'
import { newId } from '../../../kernel/ids.ts'
import { at } from '../../../lib/values.ts'
import { type Connection, connectionsOf } from './connections.ts'
import type { Draft } from './draft.ts'
import type { Outcome } from './outcomes.ts'
import { located } from './outcomes.ts'
import { resolveLinks } from './resolve.ts'
import { rowError } from './row-values.ts'
import type { Plan, Write } from './types.ts'
import { checkInput, writeRows } from './write.ts'

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
  for (const draft of drafts) if (draft.errors.length > 0) outcomes.set(draft, 'failed')
  let open = drafts.filter(draft => draft.errors.length === 0)
  while (open.length > 0) {
    const { later, aimed } = await nextRound(tx, plan, open, outcomes)
    await writeRound(tx, plan, aimed, outcomes)
    open = later
  }
  for (const draft of drafts) {
    draft.errors = draft.errors.map(error => located(error, draft, plan.columns))
    draft.warnings = draft.warnings.map(warning => located(warning, draft, plan.columns))
  }
  return outcomes
}

interface Round {
  later: Draft[]
  aimed: Aimed[]
}

/** The rows that have nothing in common with one that is written before them, and what each is about. */
async function nextRound(
  tx: Ctx,
  plan: Plan,
  open: readonly Draft[],
  outcomes: Map<Draft, Outcome>,
): Promise<Round> {
  const claimed = new Set<string>()
  const round: Round = { later: [], aimed: [] }
  const connections = await connectionsOf(tx, plan, open)
  for (const [i, draft] of open.entries()) {
    const connection = at(connections, i)
    const { marks, target } = connection
    const mustWait = marks.some(mark => claimed.has(mark))
    const outcome = mustWait ? 'wait' : aim(plan, draft, connection)
    // A row that waits is before all that have something in common with it; one that writes nothing is before nobody.
    if (outcome === 'wait') round.later.push(draft)
    else if (outcome === 'go') round.aimed.push({ draft, target })
    else outcomes.set(draft, outcome)
    draft.target = target
    if (outcome === 'wait' || outcome === 'go') for (const mark of marks) claimed.add(mark)
  }
  return round
}

/** What is to be done with a row whose record is here already. */
function aim({ strategy, resource }: Plan, draft: Draft, connection: Connection): Outcome | 'go' {
  const { match, target, state } = connection
  const label = resource.record.label.toLowerCase()
  const fail = (code: string, message: string): Outcome => {
    draft.errors.push(rowError(code, message, draft.id ?? null, null, draft.id === undefined ? null : 'id'))
    return 'failed'
  }
  if (state === 'trashed') {
    return fail('in_trash', `The ${label} with this id is in the trash: restore it first`)
  }
  if (target === undefined) return 'go'
  if (strategy === 'skip') return 'skipped'
  if (strategy === 'create') return fail('id_taken', `There is a ${label} with this id already`)
  if (draft.id === undefined && match.ids.length > 1) {
    return fail('ambiguous_match', `Several ${resource.tag.toLowerCase()} match this row`)
  }
  return 'go'
}

async function writeRound(
  tx: Ctx,
  plan: Plan,
  aimed: readonly Aimed[],
  outcomes: Map<Draft, Outcome>,
): Promise<void> {
  const { resource } = plan
  const promised = await resolveLinks(
    tx,
    plan,
    aimed.map(({ draft }) => draft),
  )
  const writes: Write[] = []
  for (const { draft, target } of aimed) {
    const input = checkInput(resource, draft, target)
    if (draft.errors.length > 0) outcomes.set(draft, 'failed')
    else writes.push({ draft, target, id: target ?? draft.id ?? newId(), input })
  }
  const written = await writeRows(tx, plan, writes, promised)
  for (const [draft, outcome] of written) outcomes.set(draft, outcome)
}
