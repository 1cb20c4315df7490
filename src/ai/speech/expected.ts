/**
 * Words that are likely to occur: the names around the record of a recording, and common sales terms. If the sound
 * allows both, a call with Gareth Pryce has "Pryce" and not "price".
 */

/** The expected words that begin with the tokens so far. */
interface Branch {
  next: Map<number, Branch>
  /** the bonus per token of the best word that continues from here */
  worth: number
  /** the bonus per token of the word that ends here; 0 if none does */
  ending: number
  depth: number
}

export interface Expected {
  root: Branch
  beginsWord(token: number): boolean
}

/** The bonus of the expected words, in addition to the probability of the sound. */
export interface Credit {
  total: number
  /** the part of it for a word that is not complete yet */
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

/** Added for each token that may belong to an expected word, and removed if the word turns out to be another. */
export function credited(
  credit: Credit,
  token: number,
  isEnd: boolean,
  { root, beginsWord }: Expected,
): Credit {
  const { total, pending, branch } = credit
  if (isEnd || beginsWord(token)) {
    const settled = total - pending + (branch ? branch.ending * branch.depth : 0)
    return isEnd ? { ...NO_CREDIT, total: settled } : extended(settled, 0, root.next.get(token))
  }
  const next = branch?.next.get(token)
  return next ? extended(total, pending, next) : { ...NO_CREDIT, total: total - pending }
}

const extended = (total: number, pending: number, branch: Branch | undefined): Credit =>
  branch
    ? { total: total + branch.worth, pending: pending + branch.worth, branch }
    : { total, pending: 0, branch }
