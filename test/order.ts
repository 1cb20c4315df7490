import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Processes of their own, browsers and models take longest: one of ten seconds was alone at the end of a run. */
const LONG =
  /node:child_process|support\/(process|browser|chromium)\.ts|tools\/faults|audio|speech|test\/fixtures/

const isLong = ({ moduleId }: TestSpecification) => LONG.test(readFileSync(moduleId, 'utf8'))

/**
 * Long files first, so that no process is alone with one at the end. Vitest itself sorts by the durations of earlier
 * runs, which a clean checkout does not have, or by size.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const { long = [], short = [] } = Object.groupBy(sorted, file => (isLong(file) ? 'long' : 'short'))
    return [...long, ...short]
  }
}
