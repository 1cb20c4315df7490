import { HttpError } from '../../../kernel/errors.ts'

/** Whether `create` succeeded; a refusal by the API is no error of the import. */
export async function unlessRefused(create: () => Promise<void>): Promise<boolean> {
  try {
    await create()
    return true
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) return false
    throw error
  }
}
