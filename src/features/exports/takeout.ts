import type { FileHandle } from 'node:fs/promises'
import type { Ctx } from '../../kernel/context.ts'
import type { JobRun } from '../../kernel/jobs.ts'

export async function writeTakeout(
  _ctx: Ctx,
  _file: FileHandle,
  _job: JobRun,
): Promise<{ rows: number; bytes: number }> {
  throw new Error('not yet')
}
