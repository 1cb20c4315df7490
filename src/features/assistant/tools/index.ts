/** The tools of the language model: it reads with the caller's permissions, and proposes changes for a user to accept. */
import type { Tool } from '../../../ai/language-model/index.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { HttpError } from '../../../kernel/errors.ts'
import type { Cited } from '../cited.ts'
import { sentenceOf } from '../proposals/check.ts'
import { proposingTools } from './propose.ts'
import { readingTools } from './read.ts'

/** An error in the arguments is returned to the model, which may correct it; any other error is the service's own. */
const reportingErrors = (tool: Tool): Tool => ({
  ...tool,
  async run(args) {
    try {
      return await tool.run(args)
    } catch (error) {
      if (error instanceof HttpError) return { error: sentenceOf(error) }
      throw error
    }
  },
})

export const toolsFor = (ctx: Ctx, chatId: string, messageId: string, records: Cited): Tool[] =>
  [...readingTools(ctx, records), ...proposingTools(ctx, chatId, messageId)].map(reportingErrors)
