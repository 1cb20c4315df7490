/** For any input: it can be read, it reads back unchanged, and the time grows with its length. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectLinear } from '../../../../test/support/cpu-time.ts'
import { type Content, contentOf, contentOfHtml, contentProblem, htmlOf, markdownOf } from '../content.ts'
import { blocksOfBlocks } from './from-blocks.ts'
import { blocksOfDocument } from './from-document.ts'
import { blocksToHtml } from './to-html.ts'
import { blocksToMarkdown } from './to-markdown.ts'

/** Each run has other inputs; `vitest run --mode full` tries three times as many of them. */
const RUNS = process.env.KITH_TEST_FULL === 'true' ? 1000 : 300

const signs = [
  ...[
    '# ',
    '## ',
    '- ',
    '* ',
    '+ ',
    '1. ',
    '12) ',
    '> ',
    '[ ] ',
    '[x] ',
    '[!NOTE]',
    '```',
    '```js',
    '~~~',
    '    ',
  ],
  ...[
    '---',
    '***',
    '===',
    '|',
    '| a | b |',
    '|---|:-:|',
    '[a](b)',
    '![i](p.png "t")',
    '[r]',
    '[r]: /u "t"',
    '<u>',
  ],
  ...[
    '</u>',
    '<br>',
    '<mark>',
    '</mark>',
    '<strong>',
    '</strong>',
    '<b>',
    '<http://x.y>',
    '<a@b.co>',
    '&amp;',
    '&#35;',
  ],
  ...[
    '**',
    '*',
    '_',
    '__',
    '~~',
    '~',
    '`',
    '``',
    '\\',
    '!',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '&',
    ':',
    '"',
    '#',
    '-',
    '+',
  ],
  ...[
    '\n',
    '\n\n',
    '\n\n\n',
    '  \n',
    '\\\n',
    '\n  ',
    '\n    ',
    '\n> ',
    '\n- ',
    '\n1. ',
    '\t',
    ' ',
    '  ',
    'a',
    'b c',
    'é',
  ],
  ...['word', '😀', '.', ',', '\u00a0', 'x_y', '=', '1', 'javascript:', '](', '<script>', '{', '}'],
]
const markdown = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(fc.constantFrom(...signs), { maxLength: 25 }).map(parts => parts.join('')),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 80 }) },
)

const again = (text: string): string => markdownOf(contentOf(text))

it('reads its own markdown back as the same markdown', () => {
  fc.assert(
    fc.property(markdown, given => {
      const written = again(given)
      expect(again(written)).toBe(written)
    }),
    { numRuns: 3 * RUNS },
  )
})

const marks = fc.uniqueArray(
  fc.constantFrom<object>(
    ...['bold', 'italic', 'strike', 'code', 'underline', 'highlight'].map(type => ({ type })),
    { type: 'link', attrs: { href: 'https://a.b/c_(d)?e=f&g' } },
  ),
  { maxLength: 3, selector: mark => (mark as { type: string }).type },
)
const inline = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('text'),
      text: fc.oneof(fc.constantFrom(...signs), fc.string()),
      marks,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'hardBreak' }) },
)
const words = fc.array(inline, { maxLength: 6 })

const { block } = fc.letrec<{ block: object; blocks: object[]; item: object }>(tie => ({
  blocks: fc.array(tie('block'), { maxLength: 3 }),
  item: fc.record({ type: fc.constant('listItem'), content: tie('blocks') }),
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ type: fc.constant('paragraph'), content: words }),
    fc.record({
      type: fc.constant('heading'),
      attrs: fc.record({ level: fc.integer({ min: 0, max: 8 }) }),
      content: words,
    }),
    fc.constant({ type: 'horizontalRule' }),
    fc.record({
      type: fc.constant('codeBlock'),
      attrs: fc.record({ language: fc.constantFrom(null, 'js', '`', 'c++') }),
      content: fc.array(
        fc.record({ type: fc.constant('text'), text: fc.oneof(fc.constantFrom(...signs), fc.string()) }),
      ),
    }),
    fc.record({
      type: fc.constant('image'),
      attrs: fc.record({
        src: fc.constantFrom('/a.png', 'https://x/(y) z', 'javascript:x'),
        alt: fc.constantFrom(...signs),
      }),
    }),
    fc.record({ type: fc.constantFrom('blockquote', 'callout', 'strange'), content: tie('blocks') }),
    fc.record({
      type: fc.constantFrom('bulletList', 'orderedList', 'taskList'),
      attrs: fc.record({ start: fc.integer({ min: -1, max: 12 }) }),
      content: fc.array(tie('item'), { maxLength: 3 }),
    }),
    fc.record({
      type: fc.constant('table'),
      content: fc.array(
        fc.record({
          type: fc.constant('tableRow'),
          content: fc.array(fc.record({ type: fc.constant('tableCell'), content: tie('blocks') }), {
            maxLength: 3,
          }),
        }),
        { maxLength: 3 },
      ),
    }),
  ),
}))
const page = fc.array(block, { maxLength: 5 }).map(content => ({ type: 'doc', content }))

const letters = (text: string): string => [...text.replace(/[^\p{L}\p{N}]/gu, '')].sort().join('')
const textsIn = (node: unknown): string =>
  Array.isArray(node)
    ? node.map(textsIn).join('')
    : typeof node === 'object' && node !== null
      ? `${'text' in node ? node.text : ''}${'alt' in node ? (node.alt ?? '') : ''}${textsIn(Object.values(node))}`
      : ''

it('escapes text that looks like an autolink', () => {
  const words = [{ type: 'text', text: '<0@0> and <a@b>' }]
  const written = markdownOf({ type: 'doc', content: [{ type: 'paragraph', content: words }] })
  expect(written).toBe('\\<0@0> and \\<a@b>')
  expect(again(written)).toBe(written)
})

it('writes a link that looks like an autolink so that it is read back as a link', () => {
  const marks = [{ type: 'link', attrs: { href: 'https://a.b' } }, { type: 'code' }]
  const words = [{ type: 'text', text: ']:', marks }]
  const written = markdownOf({ type: 'doc', content: [{ type: 'paragraph', content: words }] })
  expect(again(written)).toBe(written)
  expect(contentOf(written)).toEqual({ type: 'doc', content: [{ type: 'paragraph', content: words }] })
})

it('drops marks on white space', () => {
  const bold = { type: 'bold' }
  const words = [
    { type: 'text', text: '1. ', marks: [bold] },
    { type: 'text', text: ' ', marks: [{ type: 'italic' }, bold] },
    { type: 'text', text: '0', marks: [bold] },
  ]
  const written = markdownOf({ type: 'doc', content: [{ type: 'paragraph', content: words }] })
  expect(written).toBe('**1.  0**')
  expect(again(written)).toBe(written)
})

it('writes pages of every kind as markdown that reads back as the same markdown', () => {
  fc.assert(
    fc.property(page, given => {
      const written = markdownOf(given)
      expect(again(written)).toBe(written)
    }),
    { numRuns: 2 * RUNS },
  )
})

it('keeps the words of a page when it is converted to markdown and back', () => {
  fc.assert(
    fc.property(page, given => {
      expect(letters(textsIn(contentOf(markdownOf(given))))).toBe(letters(textsIn(given)))
    }),
    { numRuns: 1 * RUNS },
  )
})

const names = [
  ...[
    'doc',
    'paragraph',
    'heading',
    'bulletList',
    'listItem',
    'table',
    'tableRow',
    'tableCell',
    'text',
    'image',
  ],
  ...[
    'codeBlock',
    'bulletListItem',
    'checkListItem',
    'header',
    'list',
    'checklist',
    'raw',
    'link',
    'constructor',
    '__proto__',
  ],
]
const keys = [
  ...[
    'type',
    'content',
    'text',
    'attrs',
    'props',
    'data',
    'items',
    'children',
    'marks',
    'blocks',
    'rows',
    'cells',
  ],
  ...['href', 'src', 'level', 'styles', 'html', 'start', 'file', 'url', 'meta', 'style'],
]
const { anything } = fc.letrec<{ anything: unknown }>(tie => ({
  anything: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom<unknown>(...names, null, true, false, 0, -1, 1e308, '', 'x', '<b>y', 'javascript:z'),
    fc.array(tie('anything'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom(...keys), tie('anything'), { maxKeys: 7 }),
  ),
}))

it('accepts any JSON as a page without an exception', () => {
  fc.assert(
    fc.property(anything, fc.boolean(), (given, isDocument) => {
      const list = Array.isArray(given) ? given : [given]
      const content: Content = isDocument ? { type: 'doc', content: list } : { blocks: list }
      expect(contentProblem(content)).toBeUndefined()
      const written = markdownOf(content)
      expect(again(written)).toBe(written)
      expect(typeof htmlOf(content)).toBe('string')
    }),
    { numRuns: 3 * RUNS },
  )
})

it('accepts any text as HTML without an exception', () => {
  const tags = [
    '<p>',
    '</p>',
    '<ul><li>',
    '<table><tr><td>',
    '<b',
    '<a href=x>',
    '</a>',
    '<pre>',
    '<svg>',
    '</svg>',
    '<!--',
    '-->',
    '<script>',
    'x',
    ' ',
    '&lt;',
    '<img src=y>',
    '<li>',
    '</div>',
    '<div>',
    '<h1>',
  ]
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...tags), fc.string())), parts => {
      const written = markdownOf(contentOfHtml(parts.join('')))
      expect(again(written)).toBe(written)
    }),
    { numRuns: 1 * RUNS },
  )
})

const MEGABYTE = 1_000_000
const LONG = 200_000
const filled = (part: string, length = MEGABYTE) => part.repeat(Math.ceil(length / part.length))
const deepList = (depth: number) =>
  Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- x`).join('\n')

it.each([
  ...[
    '>',
    '> ',
    '- ',
    '1. ',
    '[',
    '![',
    '[a](',
    '*',
    '_*',
    '*a ',
    'a**b',
    '~~a',
    '`a``b```',
    '<u>',
    '&',
    '\\',
    '|',
  ],
  ...[
    '[a](x "',
    '[]',
    '<a:',
    'a_ *b ',
    '*a_b',
    '[a]: b\n',
    '| a\n|-\n',
    '>\n',
    '![[a](b)',
    '```\n',
    '\t',
    '<',
    'a  \n',
  ],
])('reads any number of %j in linear time', sign => expectLinear(length => again(filled(sign, length)), LONG))

it.each([
  ['a deep list', deepList, 800],
  ['a megabyte of quotes', (length: number) => filled('>', length), MEGABYTE],
])('reads and writes %s in linear time', async (_, sized, size) => {
  let content: Content | undefined
  await expectLinear(length => {
    content = contentOf(sized(length))
  }, size)
  const depth = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0
  // two levels more for the body around it
  expect(depth(content)).toBeLessThanOrEqual(62)
})

it.each([
  '<b>',
  '<div>',
  '<p>',
  '</b>',
  '<b></i>',
  '<table>',
  '<li>',
  '<svg>',
  '&',
  '<a ',
  '<!--',
  '<a b=c ',
])('reads any number of %j as HTML in linear time', tag =>
  expectLinear(length => contentOfHtml(filled(tag, length)), LONG),
)

it('handles any content up to the size of a body', () => {
  const many = <T>(one: T): T[] => Array<T>(150_000).fill(one)
  const cell = { type: 'tableCell', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x' }] }] }
  const contents: Content[] = [
    { type: 'doc', content: many({ type: 'horizontalRule' }) },
    { type: 'doc', content: [{ type: 'table', content: many({ type: 'tableRow', content: [cell] }) }] },
    { type: 'doc', content: [{ type: 'table', content: [{ type: 'tableRow', content: many(cell) }] }] },
    { type: 'doc', content: [{ type: 'paragraph', content: many({ type: 'text', text: 'x' }) }] },
    { type: 'doc', content: many({ type: 'text', text: 'x' }) },
    {
      type: 'doc',
      content: [{ type: 'codeBlock', content: [{ type: 'text', text: many('```').join(' ') }] }],
    },
    { blocks: many({ type: 'bulletListItem', content: 'x' }) },
    { blocks: [{ type: 'list', data: { items: many('x') } }] },
    { blocks: [{ type: 'raw', data: { html: many('<td>x').join('') } }] },
  ]
  for (const content of contents) {
    // read once: that takes two thirds of the time of either conversion
    const blocks = Array.isArray(content.blocks)
      ? blocksOfBlocks(content.blocks)
      : blocksOfDocument(content.content)
    expect(blocksToMarkdown(blocks)).not.toBe('')
    expect(blocksToHtml(blocks)).not.toBe('')
  }
}, 300_000)
