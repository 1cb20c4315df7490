import { sql } from 'kysely'
import { queryOne, type ServiceCtx } from '../../kernel/context.ts'
import { decompose } from '../../kernel/schema/index.ts'

/** `Ærø & Søn GmbH` → `aero-son-gmbh`. */
export function slugOf(name: string): string {
  const ascii = decompose(name)
    .toLowerCase()
    .replace(/[\u0300-\u036f'’]/g, '')
    .replace(/[æœøßðþłđ]/g, letter => LETTERS[letter] ?? letter)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^-+|-+$/g, '')
  return ascii || 'account'
}

const LETTERS: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  đ: 'd',
}

/** A unique slug; if the name's slug is taken, the end of the id is appended. */
export async function slugFor(tx: ServiceCtx, name: string, accountId: string): Promise<string> {
  const slug = slugOf(name)
  // Locked until the transaction ends: two accounts of the same name may be created at the same time.
  await queryOne(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`account slug ${slug}`}, 0))`)
  const taken = await queryOne(tx, sql`select id from accounts where slug = ${slug}`)
  return taken ? `${slug}-${accountId.slice(-12)}` : slug
}
