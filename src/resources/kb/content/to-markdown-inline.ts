/** Words with their marks → markdown that reads back as the same words with the same marks. */
import MarkdownIt from 'markdown-it'
import { present } from '../../../lib/values.ts'
import { type Inline, MARK_ORDER, type Mark, type MarkType, sameMark, type Text } from './node.ts'
import { linkTarget } from './urls.ts'

const TAGS: Partial<Record<MarkType, string>> = {
  ...{ bold: 'strong', italic: 'em', strike: 'del', underline: 'u', highlight: 'mark' },
}
const SIGNS: Partial<Record<MarkType, string>> = { bold: '**', italic: '*', strike: '~~' }

/** `lineBreak` is how a break is written: `\` at the end of the line, or `<br>` where the line may not end. */
export function wordsToMarkdown(content: readonly Inline[], lineBreak: '\\\n' | '<br>'): string {
  const lines: string[] = []
  let line: Text[] = []
  const end = () => {
    const words = marked(trimmedRuns(line.map(ordered)), 0, '', '')
    lines.push(lineBreak === '<br>' ? words : atLineStart(words))
    line = []
  }
  for (const inline of content) {
    if (inline.type === 'text') line.push(inline)
    else end()
  }
  end()
  // breaks at either end, and white space around one, would not be read back
  while (lines.length > 0 && lines.at(-1) === '') lines.pop()
  while (lines[0] === '') lines.shift()
  return lines.join(lineBreak)
}

/** Text with its marks from the outermost on. */
interface Run extends Text {
  marks: Mark[]
}

const ordered = (inline: Text): Run => ({
  ...inline,
  marks: [...(inline.marks ?? [])].sort((a, b) => MARK_ORDER.indexOf(a.type) - MARK_ORDER.indexOf(b.type)),
})

/** `from` marks of each are written already; `before` and `after` are the characters around. */
function marked(runs: readonly Run[], from: number, before: string, after: string): string {
  const written: string[] = []
  let left = before
  for (let at = 0; at < runs.length; ) {
    const mark = runs[at]?.marks[from]
    let end = at + 1
    while (end < runs.length && sameAt(runs[end]?.marks[from], mark)) end++
    const next = runs[end]
    const right = next ? startOf(next, from) : after
    const inside = runs.slice(at, end)
    const own = mark ? wrapped(mark, inside, from, left, right) : escaped(textOf(inside), right)
    written.push(own)
    left = own.at(-1) ?? left
    at = end
  }
  return written.join('')
}

const sameAt = (a: Mark | undefined, b: Mark | undefined): boolean => (a && b ? sameMark(a, b) : a === b)
const textOf = (runs: readonly Run[]): string => runs.map(run => run.text).join('')

/** The character that a run begins with; another mark begins with a sign. */
function startOf(run: Run, from: number): string {
  const first = run.text.charAt(0)
  return run.marks[from] && first.trim() !== '' ? '*' : first
}

function wrapped(mark: Mark, runs: readonly Run[], from: number, left: string, right: string): string {
  const words = textOf(runs)
  if (words.trim() === '') return words
  // white space at the edge of a mark goes outside, because signs next to it are not read
  const lead = words.slice(0, words.length - words.trimStart().length)
  const tail = words.slice(words.trimEnd().length)
  const [outerLeft, outerRight] = [lead.at(-1) ?? left, tail.charAt(0) || right]
  if (mark.type === 'code') return lead + codeSpan(words.trim()) + tail
  return lead + around(mark, trimmedRuns(runs), from + 1, outerLeft, outerRight) + tail
}

/** The runs without the white space at both ends. */
function trimmedRuns(runs: readonly Run[]): Run[] {
  let from = 0
  let to = runs.length
  while (from < to && runs[from]?.text.trim() === '') from++
  while (to > from && runs[to - 1]?.text.trim() === '') to--
  const part = runs.slice(from, to)
  const first = part[0]
  if (first) part[0] = { ...first, text: first.text.trimStart() }
  const last = part.at(-1)
  if (last) part[part.length - 1] = { ...last, text: last.text.trimEnd() }
  return part
}

function around(mark: Mark, runs: Run[], from: number, left: string, right: string): string {
  if (mark.type === 'link') {
    const href = linkTarget(mark.attrs?.href)
    if (href === undefined) return marked(runs, from, left, right)
    const title = mark.attrs?.title ? ` "${escapedTitle(mark.attrs.title)}"` : ''
    return `[${marked(runs, from, '[', ']')}](${href}${title})`
  }
  const sign = SIGNS[mark.type]
  if (sign !== undefined && signsWork(sign, runs, from, left, right)) {
    return sign + marked(runs, from, sign, sign) + sign
  }
  const tag = present(TAGS[mark.type], mark.type)
  return `<${tag}>${marked(runs, from, '>', '<')}</${tag}>`
}

/** Signs with a letter or digit inside of them are always read, unless another sign is outside of them. */
function signsWork(sign: string, runs: readonly Run[], from: number, left: string, right: string): boolean {
  const sealed = (character: string) => '*_~\\'.includes(character) && character !== ''
  if (sealed(left) || sealed(right)) return false
  const [first, last] = [runs[0], runs.at(-1)]
  if (!first || !last || first.marks[from] || last.marks[from]) return false
  return (
    isWord(first.text.codePointAt(0) ?? 0) &&
    isWord(last.text.codePointAt(last.text.length - 1) ?? 0) &&
    !hasRun(sign, runs)
  )
}

/** Further signs of the same kind inside could pair with these; marks of white space are not written. */
const hasRun = (sign: string, runs: readonly Run[]): boolean =>
  sign !== '~~' &&
  runs.some(
    run =>
      run.text.trim() !== '' &&
      run.marks.some(mark => SIGNS[mark.type]?.startsWith('*') && SIGNS[mark.type] !== sign),
  )

const { isWhiteSpace, isPunctCharCode, isMdAsciiPunct } = new MarkdownIt().utils

const isWord = (code: number): boolean =>
  (code & 0xfc00) !== 0xdc00 && !isWhiteSpace(code) && !isMdAsciiPunct(code) && !isPunctCharCode(code)

function codeSpan(words: string): string {
  const longest = (words.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  const fence = '`'.repeat(longest + 1)
  return /^`|`$/.test(words) ? `${fence} ${words} ${fence}` : fence + words + fence
}

/** Escapes what markdown would read as a sign. */
export function escaped(words: string, after = ''): string {
  return words.replace(/[\\`*_~[\]<&!]/g, (sign, at: number) => {
    const next = words.charAt(at + 1) || after
    if (sign === '\\') return next === '' || /[!-/:-@[-`{-~]/.test(next) ? '\\\\' : sign
    if (sign === '_') return isInside(words, at) ? sign : '\\_'
    if (sign === '~') return next === '~' || words.charAt(at - 1) === '~' ? '\\~' : sign
    // a tag, or an address between angle brackets
    if (sign === '<') return /[\w.!#$%&'*+/=?^`{|}~-]/.test(next) ? '\\<' : sign
    if (sign === '&') return /[#a-z]/i.test(next) ? '\\&' : sign
    if (sign === '!') return at === words.length - 1 && after.trim() !== '' ? '\\!' : sign
    return `\\${sign}`
  })
}

const isInside = (words: string, at: number): boolean =>
  at > 0 &&
  at < words.length - 1 &&
  /[a-z0-9]/i.test(words.charAt(at - 1)) &&
  /[a-z0-9]/i.test(words.charAt(at + 1))

const escapedTitle = (title: string): string =>
  title
    .replace(/\s+/g, ' ')
    .replace(/[\\"&*_`[\]<~!]/g, sign => `\\${sign}`)
    .slice(0, 1000)

/** What would begin a heading, a list, a quote, a table or a fence at the start of a line. */
function atLineStart(line: string): string {
  return (
    line
      .replace(/^(#{1,6})(?=\s|$)/, '\\$1')
      .replace(/^([>=|])/, '\\$1')
      .replace(/^:(?=\s*-)/, '\\:')
      .replace(/^([-+])(?![\p{L}\p{N}])/u, '\\$1')
      .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
      // A link whose text is the code `]:` would be read as a link reference definition. An empty mark prevents that.
      .replace(/^(?=\[(?:[^[\]\\]|\\.)+\]:)/, '<b></b>')
  )
}
