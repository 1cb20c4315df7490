/** Checks whether the web client can be served, and builds it again when its sources have changed. */
import type { Log } from '../../kernel/log.ts'
import { build, buildState, canBuild } from './build.ts'

export interface WebClient {
  readonly root: string
  /** Why there is nothing to serve, and whether that is temporary; undefined if there is a build. */
  problem(): Promise<Problem | undefined>
  /** Resolves when a build that this process has begun is finished. */
  settled(): Promise<void>
}

export interface Problem {
  sentence: string
  isTemporary: boolean
}

/** Also while another process puts a new build into its place. */
export const BUILDING = {
  sentence: 'The web client is being built. This page loads again by itself.',
  isTemporary: true,
}
const UNBUILT = {
  sentence:
    'The web client is not built: run "npm ci", then "npm run web", in the folder of the installation.',
  isTemporary: false,
}
const FAILED = {
  sentence:
    'The web client could not be built: run "npm run web" in the folder of the installation to see why.',
  isTemporary: false,
}

export function webClient(root: string, log: Log): WebClient {
  let problem: Problem | undefined
  let checked: Promise<void> | undefined
  let building: Promise<void> | undefined

  /** Called once per process: hashing the sources takes 40 to 60 ms on two busy cores. */
  async function check(): Promise<void> {
    const state = await buildState(root)
    if (state === 'current') return
    problem = canBuild(root) ? BUILDING : UNBUILT
    if (problem === BUILDING) building = rebuild()
  }

  async function rebuild(): Promise<void> {
    const startedAt = performance.now()
    try {
      await build(root, 'ignore')
      problem = undefined
      log.info({ ms: Math.round(performance.now() - startedAt) }, 'the web client was built')
    } catch (error) {
      problem = FAILED
      log.error({ err: error }, FAILED.sentence)
    }
  }

  const isChecked = () => {
    checked ??= check()
    return checked
  }
  return {
    root,
    async problem() {
      await isChecked()
      return problem
    },
    async settled() {
      await isChecked()
      await building
    },
  }
}
