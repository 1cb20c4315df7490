/** `npm run triggers`: writes docs/triggers.md from the schema that the migrations make. */
import { writeFileSync } from 'node:fs'
import { SYSTEM } from './engine.ts'
import { withScratchDatabase } from './scratch.ts'
import { triggerList } from './trigger-list.ts'

const text = await withScratchDatabase(engine => triggerList(engine.as(SYSTEM)))
writeFileSync(new URL('../../docs/triggers.md', import.meta.url), text)
