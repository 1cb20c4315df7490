/** Records that a question names: by a whole name, address or domain, or by a part of a name that few have. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../../kernel/context.ts'
import { rows } from '../../../../kernel/statements.ts'
import { loadPassages } from '../../../search/load.ts'
import type { Kind } from '../fields/index.ts'
import { mayName } from './common-words.ts'
import type { Mention } from './mentions.ts'
import { around, GRAMMAR } from './question.ts'

const KINDS: Kind[] = ['company', 'contact', 'deal', 'activity']

/** Records whose whole name, address or domain is one of these texts. */
export async function recordsCalled(ctx: Ctx, grams: readonly string[], types: readonly string[]) {
  const kinds = KINDS.filter(kind => types.includes(kind))
  const found = await query(
    ctx,
    sql<{ word: string; passage_id: number }>`select w.word, w.passage_id from ${rows(ctx, 'search_words')} w
      where w.word = any(${grams.map(gram => `=${gram}`)}::text[]) and w.entity_type = any(${kinds}::text[]) limit 500`,
  )
  return byWord(
    ctx,
    found.map(row => ({ word: row.word.slice(1), passageId: row.passage_id })),
    kinds,
  )
}

async function byWord(ctx: Ctx, found: { word: string; passageId: number }[], types: readonly Kind[]) {
  const passages = await loadPassages(
    ctx,
    found.map(row => row.passageId),
    types,
  )
  const named = new Map<string, NonNullable<Mention['records']>>()
  for (const [word, hits] of Map.groupBy(found, row => row.word)) {
    const records = hits.flatMap(hit => passages.get(hit.passageId) ?? [])
    const kind = KINDS.find(one => records.some(record => record.entity_type === one))
    if (!kind) continue
    const own = records.filter(record => record.entity_type === kind)
    named.set(word, { kind, ids: own.map(record => record.entity_id), names: own.map(record => record.name) })
  }
  return named
}

/** "Acme" for Acme Corp, "Ann" or "Smith" for Ann Smith: the beginning of a name or a word of it, if few are called so. */
export async function addPartial(
  ctx: Ctx,
  words: readonly string[],
  taken: (Mention | undefined)[],
  mentions: Mention[],
  types: readonly string[],
  capitals: ReadonlySet<string>,
): Promise<void> {
  const open = words.flatMap((word, at) =>
    !taken[at] && !GRAMMAR.has(word) && /^\p{L}[\p{L}\p{N}&.-]{1,}$/u.test(word) ? [{ word, at }] : [],
  )
  if (open.length === 0) return
  const kinds = (['company', 'contact'] as Kind[]).filter(kind => types.includes(kind))
  const found = await query(
    ctx,
    sql<{ word: string; passage_id: number; entity_type: string }>`select t.word, n.passage_id, n.entity_type
      from unnest(${open.map(one => one.word)}::text[]) t (word)
      cross join lateral (select w.passage_id, w.entity_type from ${rows(ctx, 'search_words')} w
        where w.word = t.word and w.weight = 4 and w.entity_type = any(${kinds}::text[]) limit 6) n`,
  )
  const named = await byWord(
    ctx,
    found.map(row => ({ word: row.word, passageId: row.passage_id })),
    kinds,
  )
  for (const run of runsOf(open.filter(({ word }) => named.has(word)))) {
    // "Ann Smith" is neither another Ann nor another Smith
    const all = run.map(({ word }) => named.get(word))
    const [first] = all
    if (!first || !run.some(({ word }) => mayName(word, capitals))) continue
    const ids = first.ids.filter(id => all.every(records => records?.ids.includes(id)))
    if (ids.length === 0 || ids.length > 5) continue
    const records = {
      kind: first.kind,
      ids,
      names: first.names.filter((_, i) => ids.includes(first.ids[i]!)),
    }
    const [from, to] = [run[0]!.at, run.at(-1)!.at + 1]
    const mention = { said: words.slice(from, to).join(' '), values: [], records, ...around(words, from, to) }
    mentions.push(mention)
    taken.fill(mention, from, to)
  }
}

/** Words that stand side by side. */
function runsOf(open: readonly { word: string; at: number }[]): { word: string; at: number }[][] {
  const runs: { word: string; at: number }[][] = []
  for (const one of open) {
    const last = runs.at(-1)
    if (last && last.at(-1)!.at === one.at - 1) last.push(one)
    else runs.push([one])
  }
  return runs
}
