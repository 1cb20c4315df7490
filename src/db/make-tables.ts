/** `npm run tables`: writes tables.ts from the schema that the migrations make. */
import { writeFileSync } from 'node:fs'
import { SYSTEM } from './engine.ts'
import { withScratchDatabase } from './scratch.ts'
import { tableTypes } from './table-types.ts'

const text = await withScratchDatabase(engine => tableTypes(engine.as(SYSTEM)))
writeFileSync(new URL('./tables.ts', import.meta.url), text)
