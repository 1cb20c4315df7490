/** The cheapest ways to cover a question with blocks, in any order. Words may be left out, except those that change the meaning. */
import type { Lexicon } from '../../lexicon/types.ts'
import type { Placed } from './blocks.ts'

/** Blocks of one way to cover a question, and the words that none of them covers. */
export interface Cover {
  blocks: readonly Placed[]
  left: readonly string[]
  cost: number
}

const LIGHT_COST = 0.06
const WORD_COST = 0.75
/** Figures, comparisons and whether something is filled in are rarely without a role. */
const HEAVY =
  /^(?:\d.*|more|less|fewer|most|least|over|under|above|below|before|after|since|until|between|beyond|further|won|lost|filled|ticked)$/
const HEAVY_COST = 2
/** A currency is rarely a condition: most accounts have one. */
const MONEY = /^(?:[$€£¥]|eur|euros?|usd|dollars?|gbp|pounds?|sterling|chf|francs?)$/
const MONEY_COST = 0.3
const BLOCK_COST = 0.25
/** How many ways to cover the first words are continued: fewer of a long question, so that it takes no longer. */
const MAX_COVERS = 80
const MAX_CONTINUED = 1600

function costOf(word: string, operators: ReadonlySet<string>): number {
  if (operators.has(word)) return Number.POSITIVE_INFINITY
  if (isLight(word)) return LIGHT_COST
  if (MONEY.test(word)) return MONEY_COST
  return HEAVY.test(word) ? HEAVY_COST : WORD_COST
}

export function coversOf(
  tokens: readonly string[],
  placed: readonly Placed[],
  { operators }: Pick<Lexicon, 'operators'>,
): Cover[] {
  const needed = new Set(operators)
  const most = Math.min(MAX_COVERS, Math.ceil(MAX_CONTINUED / tokens.length))
  const startingAt = Map.groupBy(placed, ({ from }) => from)
  const covers = Array.from({ length: tokens.length + 1 }, (): Map<string, Begun> => new Map())
  covers[0]?.set('', { blocks: [], left: [], cost: 0, key: '' })
  const put = (at: number, cover: Begun) => {
    const known = covers[at]?.get(cover.key)
    if (Number.isFinite(cover.cost) && !(known && known.cost <= cover.cost)) covers[at]?.set(cover.key, cover)
  }
  for (const [at, token] of tokens.entries()) {
    const [skipped, isTelling] = [costOf(token, needed), !isLight(token)]
    const blocks = (startingAt.get(at) ?? []).sort(byGain).slice(0, MAX_BLOCKS)
    for (const begun of cheapest(covers[at], most)) {
      const left = isTelling ? [...begun.left, token] : begun.left
      // "non-Martian customers" are not those who are no customers
      if (!isTelling || tokens[begun.blocks.at(-1)?.from ?? -1] !== 'non')
        put(at + 1, { ...begun, left, cost: begun.cost + skipped })
      for (const block of blocks)
        put(block.to, {
          blocks: [...begun.blocks, block],
          left: begun.left,
          cost: begun.cost + block.cost + BLOCK_COST,
          key: `${begun.key}|${block.key}`,
        })
    }
  }
  return cheapest(covers[tokens.length], most)
}

/** A cover of the first words. */
interface Begun extends Cover {
  key: string
}

/** Of the blocks that begin at a word, the cheapest for each word they cover. */
const MAX_BLOCKS = 60
const byGain = (a: Placed, b: Placed): number => a.cost - a.to + a.from - (b.cost - b.to + b.from)

const cheapest = (covers: ReadonlyMap<string, Begun> | undefined, most: number): Begun[] =>
  [...(covers?.values() ?? [])].sort((a, b) => a.cost - b.cost).slice(0, most)

/** Words of a question that hardly tell what is asked. */
const LIGHT = new Set(
  `a an the of in on at by for to from with and is are was were be been being am do does did have has had having will
  can should shall may must i we us our my me you your they them their it its he she his her him there here that this
  these those which what who whom whose how where when show list give tell name names find get let want need know see
  please pls just also still so far now right currently really exactly already yet as well us any some such one ones
  thing things kind sort please thanks thank hi hello hey ok okay anyone anybody someone somebody got go goes going come
  comes came look looking up out about s re ve ll d m i.e e.g than then too very quite ever our ours mine say says said
  like make made work works working based located record records recorded entry entries field crm system database file
  altogether total together overall each per all them among within across actually question quick something although though - + @ = / # & etc
  y/n other others whether w wonder wondering curious kindly help check
  anything`.split(/\s+/),
)

export const isLight = (word: string): boolean => LIGHT.has(word)
