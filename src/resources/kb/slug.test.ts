import { expect, it } from 'vitest'
import { slugOf, slugProblem } from './slug.ts'

it.each([
  ['Getting started', 'getting-started'],
  ['  Übersicht & Pläne! ', 'ubersicht-plane'],
  ['Straße – Łódź, Ærø, Œuvre', 'strasse-lodz-aero-oeuvre'],
  ['ﬁne Ⅷ ①', 'fine-viii-1'],
  ['İstanbul', 'istanbul'],
  ["John’s and Mary's", 'johns-and-marys'],
  ['Привет, мир', 'привет-мир'],
  ['Йод', 'йод'],
  ['日本語のページ', '日本語のページ'],
  ['한국어 문서', '한국어-문서'],
  ['हिन्दी पृष्ठ', 'हिन्दी-पृष्ठ'],
  ['Ελληνικά', 'ελληνικά'],
  ['مرحبا بالعالم', 'مرحبا-بالعالم'],
  ['C++ / C#', 'c-c'],
  ['2026-01-31', '2026-01-31'],
  ['🚀🚀', 'page'],
  ['---', 'page'],
  ['x'.repeat(255), 'x'.repeat(240)],
  [`${'x'.repeat(239)} y`, 'x'.repeat(239)],
])('turns %j into the slug %j', (title, slug) => {
  expect(slugOf(title, 'page')).toBe(slug)
  expect(slugProblem(slug)).toBeUndefined()
})
