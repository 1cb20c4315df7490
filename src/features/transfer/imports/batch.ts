/**
 * Imports the drafts of a batch. The result is that of importing them one after the other: rows with a common mark are
 * written in rounds, the later ones after the earlier ones.
 */
import type { Ctx } from '../../../kernel/context.ts'
import { newId } from '../../../kernel/ids.ts'
import { at } from '../../../lib/values.ts'
import { type Connection, connectionsOf } from './connections.ts'
import type { Draft } from './draft.ts'
import type { Outcome } from './outcomes.ts'
import { located } from './outcomes.ts'
import { parentMarksOf } from './parents.ts'
import { resolveLinks } from './resolve.ts'
import { rowError } from './row-values.ts'
import type { Plan, Write } from './types.ts'
import { checkInput, writeRows } from './write.ts'

/** A draft with the record that it changes; undefined creates one. */
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
  // Parents first, as in the batches of an import: a preview has the rows in the order of the file.
  let open = drafts
    .filter(draft => draft.errors.length === 0)
    .sort((a, b) => levelOf(plan, a) - levelOf(plan, b))
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

const levelOf = ({ families }: Plan, { row }: Draft): number => families?.levelOf(row) ?? 0

interface Round {
  later: Draft[]
  aimed: Aimed[]
}

/**
 * The rows that share no mark with a row before them and whose parent is no other of them, with the record that each
 * changes. The first of the open rows is always one of them.
 */
async function nextRound(
  tx: Ctx,
  plan: Plan,
  open: readonly Draft[],
  outcomes: Map<Draft, Outcome>,
): Promise<Round> {
  const claimed = new Set<string>()
  /** what the rows that wait look up: it stays as it is until then */
  const awaited = new Set<string>()
  /** what the rows that wait may create their parents by */
  const delayed = new Set<string>()
  const round: Round = { later: [], aimed: [] }
  const connections = await connectionsOf(tx, plan, open)
  const parentMarks = await parentMarksOf(tx, plan, open)
  const level = open[0] ? levelOf(plan, open[0]) : 0
  for (const [i, draft] of open.entries()) {
    const connection = at(connections, i)
    const { marks, target } = connection
    const { gives, takes, shares } = at(parentMarks, i)
    const mustWait =
      levelOf(plan, draft) > level ||
      [...marks, ...takes].some(mark => claimed.has(mark)) ||
      [...marks, ...gives].some(mark => awaited.has(mark)) ||
      shares.some(mark => delayed.has(mark))
    const outcome = mustWait ? 'wait' : aim(plan, draft, connection)
    // Later rows with a common mark wait for a row that waits or is written; a row that writes nothing delays none.
    if (outcome === 'wait') round.later.push(draft)
    else if (outcome === 'go') round.aimed.push({ draft, target })
    else outcomes.set(draft, outcome)
    draft.target = target
    if (outcome === 'wait' || outcome === 'go') for (const mark of [...marks, ...gives]) claimed.add(mark)
    if (outcome !== 'wait') continue
    for (const mark of takes) awaited.add(mark)
    for (const mark of shares) delayed.add(mark)
  }
  return round
}

/** Decides about a row whose record exists already, by `duplicate_strategy`. */
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
  const reserved = await resolveLinks(
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
  const written = await writeRows(tx, plan, writes, reserved)
  for (const [draft, outcome] of written) outcomes.set(draft, outcome)
}
