/**
 * Words that are likely to be said: the names of those whom a recording is about, and what sales people talk of all
 * day. Where the sound allows both, "Pryce" is written and not "price", if it is Gareth Pryce's call.
 */

/** What the tokens so far of a word may become. */
interface Branch {
  next: Map<number, Branch>
  /** for each token, of the best word that goes on from here */
  worth: number
  /** for each token of the word that ends here, 0 when none does */
  ending: number
  depth: number
}

export interface Expected {
  root: Branch
  beginsWord(token: number): boolean
}

/** What the words that were expected are worth, beside the likelihood of the sound. */
export interface Credit {
  total: number
  /** the part of it that is for a word that has not ended yet */
  pending: number
  branch: Branch | undefined
}

export const NO_CREDIT: Credit = { total: 0, pending: 0, branch: undefined }

const newBranch = (depth: number): Branch => ({ next: new Map(), worth: 0, ending: 0, depth })

export function expectWords(
  words: ReadonlyMap<string, number>,
  tokensOf: (word: string) => readonly number[],
  beginsWord: Expected['beginsWord'],
): Expected {
  const root = newBranch(0)
  for (const [word, worth] of words) {
    let branch = root
    for (const token of tokensOf(word)) {
      const next = branch.next.get(token) ?? newBranch(branch.depth + 1)
      branch.next.set(token, next)
      next.worth = Math.max(next.worth, worth)
      branch = next
    }
    branch.ending = Math.max(branch.ending, worth)
  }
  return { root, beginsWord }
}

/** Given with each token that may belong to an expected word, and taken back when it turns out to be another. */
export function credited(
  credit: Credit,
  token: number,
  isEnd: boolean,
  { root, beginsWord }: Expected,
): Credit {
  const { total, pending, branch } = credit
  if (isEnd || beginsWord(token)) {
    const settled = total - pending + (branch ? branch.ending * branch.depth : 0)
    return isEnd ? { ...NO_CREDIT, total: settled } : grown(settled, 0, root.next.get(token))
  }
  const next = branch?.next.get(token)
  return next ? grown(total, pending, next) : { ...NO_CREDIT, total: total - pending }
}

const grown = (total: number, pending: number, branch: Branch | undefined): Credit =>
  branch
    ? { total: total + branch.worth, pending: pending + branch.worth, branch }
    : { total, pending: 0, branch }
