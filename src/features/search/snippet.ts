/** The part of a passage that matches best, with the matching words marked. */
import { sentencesOf } from './passages.ts'
import type { Term } from './terms.ts'
import { fold } from './words.ts'

const LENGTH = 240
const TOKEN = /[\p{L}\p{N}\p{M}]+(?:['’@._+-][\p{L}\p{N}\p{M}]+)*|[^\p{L}\p{N}\p{M}]+/gu

export function snippetOf(body: string, terms: readonly Term[]): string {
  return mark(window(body, terms), terms)
}

/** The sentence with the best matches, extended by its neighbours while they fit. */
function window(body: string, terms: readonly Term[]): string {
  if (body.length <= LENGTH) return body
  const parts = sentencesOf(body).flatMap(sentence => slices(sentence))
  const scores = parts.map(part => scoreOf(part, terms))
  const best = scores.indexOf(Math.max(...scores))
  let text = parts[best] ?? ''
  let [from, to] = [best, best]
  const lengthOf = (index: number) => parts[index]?.length ?? 0
  while (to + 1 < parts.length && text.length + lengthOf(to + 1) < LENGTH) text = `${text} ${parts[++to]}`
  while (from > 0 && text.length + lengthOf(from - 1) < LENGTH) text = `${parts[--from]} ${text}`
  return `${from > 0 ? '… ' : ''}${text}${to + 1 < parts.length ? ' …' : ''}`
}

function slices(sentence: string): string[] {
  if (sentence.length <= LENGTH) return [sentence]
  const parts: string[] = []
  let rest = sentence
  while (rest.length > LENGTH) {
    const space = rest.lastIndexOf(' ', LENGTH)
    const at = space > LENGTH / 2 ? space : LENGTH
    parts.push(rest.slice(0, at))
    rest = rest.slice(at).trimStart()
  }
  return rest === '' ? parts : [...parts, rest]
}

function scoreOf(text: string, terms: readonly Term[]): number {
  const tokens = new Set(tokensOf(text))
  return terms.reduce((sum, term) => {
    const quality = Math.max(0, ...[...term.matches].filter(([word]) => tokens.has(word)).map(([, q]) => q))
    return sum + term.idf * quality
  }, 0)
}

const tokensOf = (text: string): string[] =>
  (text.match(TOKEN) ?? []).flatMap(token => {
    const folded = fold(token)
    return [folded, ...(folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])]
  })

/** `**…**` around matches, as in markdown. */
function mark(text: string, terms: readonly Term[]): string {
  const matches = new Set(terms.flatMap(term => [...term.matches.keys(), term.word]))
  const spaceless = terms.map(term => term.word).filter(word => /^[\p{Lo}]+$/u.test(word))
  return (text.match(TOKEN) ?? [])
    .map(token => {
      if (matches.has(fold(token)) || tokensOf(token).some(part => matches.has(part))) return `**${token}**`
      const inside = spaceless.find(word => token.includes(word))
      return inside === undefined ? token : token.replace(inside, `**${inside}**`)
    })
    .join('')
}
