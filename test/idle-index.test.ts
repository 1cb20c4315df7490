import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { SYSTEM } from '../src/db/engine.ts'
import { withScratchDatabase } from '../src/db/scratch.ts'
import { catchUpAll } from '../src/db/text-index/catch-up.ts'

it('the index behind list search writes nothing while no account is large', async () => {
  await withScratchDatabase(async engine => {
    expect(await catchUpAll(engine, new AbortController().signal)).toBe(0)
    const { rows } = await sql`select from search_text_horizon`.execute(engine.as(SYSTEM))
    expect(rows).toEqual([])
  })
})
