import { expect, it } from 'vitest'
import { contentOf, contentProblem, markdownOf } from './content.ts'

const text = (words: string) => [{ type: 'text', text: words }]
const paragraph = (words: string) => ({ type: 'paragraph', content: text(words) })
const item = (...content: object[]) => ({ type: 'listItem', content })

it.each([
  [{ type: 'doc' }, ''],
  [{ type: 'doc', content: [] }, ''],
  [{ type: 'doc', content: [paragraph('a'), { type: 'paragraph' }, paragraph('b')] }, 'a\n\nb'],
  [{ type: 'doc', content: [{ type: 'heading', attrs: { level: 3 }, content: text('H') }] }, '### H'],
  [{ type: 'doc', content: [{ type: 'heading', attrs: { level: 99 }, content: text('H') }] }, '###### H'],
  [
    { type: 'doc', content: [{ type: 'bulletList', content: [item(paragraph('a')), item(paragraph('b'))] }] },
    '- a\n- b',
  ],
  [
    {
      type: 'doc',
      content: [{ type: 'orderedList', content: [item(paragraph('a')), item(paragraph('b'))] }],
    },
    '1. a\n2. b',
  ],
  [
    { type: 'doc', content: [{ type: 'blockquote', content: [paragraph('a'), paragraph('b')] }] },
    '> a\n>\n> b',
  ],
  [{ type: 'doc', content: [{ type: 'codeBlock', content: text('x = 1') }] }, '```\nx = 1\n```'],
  [{ type: 'doc', content: [{ type: 'horizontalRule' }, paragraph('a')] }, '---\n\na'],
  [
    {
      type: 'doc',
      content: [{ type: 'paragraph', content: [...text('a'), { type: 'hardBreak' }, ...text('b')] }],
    },
    'a\\\nb',
  ],
  [
    { type: 'doc', content: [{ type: 'odd', content: [{ type: 'odder', content: [paragraph('kept')] }] }] },
    'kept',
  ],
  [{ type: 'doc', content: [null, 5, 'x', [paragraph('no')]] }, ''],
  [{ blocks: [] }, ''],
  [{ blocks: [{ type: 'heading', props: { level: 2 }, content: text('H') }, paragraph('p')] }, '## H\n\np'],
  [
    {
      blocks: [
        {
          type: 'bulletListItem',
          content: text('a'),
          children: [{ type: 'bulletListItem', content: text('b') }],
        },
      ],
    },
    '- a\n  - b',
  ],
  [
    {
      blocks: [
        { type: 'header', data: { text: 'H', level: 1 } },
        { type: 'paragraph', data: { text: 'p' } },
      ],
    },
    '# H\n\np',
  ],
  [
    {
      blocks: [
        {
          type: 'list',
          data: { style: 'ordered', items: ['a', { content: 'b', items: [{ content: 'c' }] }] },
        },
      ],
    },
    '1. a\n2. b\n   1. c',
  ],
  [
    {
      blocks: [
        { type: 'code', data: { code: 'x' } },
        { type: 'delimiter', data: {} },
      ],
    },
    '```\nx\n```\n\n---',
  ],
])('reads %j as %j', (content, markdown) => {
  expect(contentProblem(content)).toBeUndefined()
  expect(markdownOf(content)).toBe(markdown)
})

it.each([{}, { type: 'doc', content: {} }, { type: 'paragraph' }, { blocks: {} }, { content: [] }])(
  'refuses %j',
  content => {
    expect(contentProblem(content)).toContain('content must be')
  },
)

const heading = (level: number, words: string) => ({
  type: 'heading',
  attrs: { level },
  content: text(words),
})

it.each([
  ['', []],
  ['one line', [paragraph('one line')]],
  ['a\nb\n\n \nc', [paragraph('a b'), paragraph('c')]],
  ['# H\ntext\r\n## I\r\n\r\nmore', [heading(1, 'H'), paragraph('text'), heading(2, 'I'), paragraph('more')]],
  ['#no heading', [paragraph('#no heading')]],
  ['####### too deep', [paragraph('####### too deep')]],
])('converts %j to blocks', (markdown, content) => {
  expect(contentOf(markdown)).toEqual({ type: 'doc', content })
})
