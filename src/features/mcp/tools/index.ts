/** The tools that a caller has: those that its scopes and its role allow. */
import { describeSchema, whoami } from './about.ts'
import { importPreview } from './import-preview.ts'
import { readingTools } from './read.ts'
import { salesTools } from './sales.ts'
import type { Surroundings, Tool } from './tool.ts'
import { writingTools } from './write.ts'

export const toolsFor = (here: Surroundings): Tool[] => [
  whoami(here),
  ...describeSchema(here),
  ...readingTools(here),
  ...writingTools(here),
  ...salesTools(here),
  ...importPreview(here),
]
