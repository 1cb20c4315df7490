/** Where markdown-it and htmlparser2 are configured differently from their defaults. */
import { expect, it } from 'vitest'
import { contentOf, contentOfHtml, markdownOf } from '../content.ts'

/** An image may carry its bytes; a link may not be that long. */
const LONG = `data:image/png;base64,${'A'.repeat(8000)}`

it.each([
  ['<u>a</u> <script>b</script>', '<u>a</u> \\<script>b\\</script>'],
  ['[a](javascript:b)', '\\[a\\](javascript:b)'],
  [`[a](${LONG})`, `\\[a\\](${LONG})`],
  [`![a](${LONG})`, `![a](${LONG})`],
  ['**b** [a]() ![c]()', '**b** \\[a\\]() !\\[c\\]()'],
  ['<https://a.b/%C3%A9>', '[https://a.b/%C3%A9](https://a.b/%C3%A9)'],
  ['![a *b* `c`](/d "e")', '![a b c](/d "e")'],
  ['[r] [s][r]\n\n[r]: /u "t"', '[r](/u "t") [s](/u "t")'],
  ['~~a~~ ~b~', '~~a~~ ~b~'],
  ['a<br>b  \nc\nd', 'a\\\nb\\\nc d'],
])('reads %j as %j', (markdown, expected) => {
  expect(markdownOf(contentOf(markdown))).toBe(expected)
})

it.each([
  ['<ul><li><p>a<li><p>b</ul>', '- a\n- b'],
  ['<ul><li>a<ul><li>b</ul><li>c</ul>', '- a\n  - b\n- c'],
  ['<table><tr><th>a<td><p>b<tr><td>c<th>d</table>', '| a | b |\n| --- | --- |\n| c | d |'],
  ['<table><thead><tr><td>a<tbody><tr><td>b</table>', '| a |\n| --- |\n| b |'],
  ['<h1>a<h2>b', '# a\n\n## b'],
  ['<a href=/x>a<a href=/y>b', '[a](/x)[b](/y)'],
  ['a<!-- b --><select><option>c</select>d', 'ad'],
])('reads HTML without its end tags: %j', (html, expected) => {
  expect(markdownOf(contentOfHtml(html))).toBe(expected)
})

it('reads any number of items and cells without their end tags', () => {
  const list = markdownOf(contentOfHtml(`<ul>${'<li><p>a'.repeat(200)}</ul>`))
  expect(list).toBe(Array(200).fill('- a').join('\n'))
})

it.each(['<b>', '<blockquote>', '<svg>'])('keeps text below any number of %s, without scripts', tag => {
  const written = markdownOf(contentOfHtml(`${tag.repeat(1000)}</svg>a<script>b</script>`))
  expect(written.replace(/[^a-z]/g, '')).toBe(tag === '<svg>' ? '' : 'a')
})
