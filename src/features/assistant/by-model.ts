/** Answers by a language model, whose tools have the permissions of the caller. */
import {
  type Completion,
  complete,
  type Message,
  ModelFailure,
  type Tokens,
  useTool,
} from '../../ai/language-model/index.ts'
import type { ModelEndpoint } from '../../config.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { ChatMessage } from '../../resources/chats/messages.ts'
import type { Answering } from './answering.ts'
import { type Cited, cited } from './cited.ts'
import { conversation } from './conversation.ts'
import type { Response, Spent } from './response.ts'
import { toolsFor } from './tools/index.ts'

const MAX_ROUNDS = 8
const MAX_CALLS = 24
/** The maximum number of characters of a tool's result that the model gets. */
const MAX_TOOL_RESULT = 20_000

export async function answerByModel(
  ctx: Ctx,
  endpoint: ModelEndpoint,
  question: ChatMessage,
  answering: Answering,
  spent: Spent,
): Promise<Response> {
  const records = cited()
  const tools = toolsFor(ctx, question.chat_id, answering.messageId, records)
  const messages = await conversation(ctx, question)
  const { timeoutMs } = ctx.services.config.assistant
  let calls = 0
  for (let round = 0; round <= MAX_ROUNDS; round++) {
    const last = round === MAX_ROUNDS
    let inParagraph = answering.progress.text === ''
    const onText = (text: string) => {
      // text between two tool calls becomes a separate paragraph
      answering.say(inParagraph ? text : `\n\n${text}`)
      inParagraph = true
    }
    const options = { onText, signal: answering.signal, timeoutMs }
    const completion = await complete(endpoint, messages, last ? [] : tools, options)
    addTokens(spent, messages, completion)
    answering.signal.throwIfAborted()
    if (completion.toolCalls.length === 0 || last) break
    messages.push({
      role: 'assistant',
      content: completion.content || null,
      tool_calls: completion.toolCalls,
    })
    for (const call of completion.toolCalls) {
      const { name, arguments: args } = call.function
      answering.use({ name: name.slice(0, 100), asked: args.slice(0, 500) })
      const result =
        ++calls > MAX_CALLS ? { error: 'too many calls: answer now' } : await useTool(tools, call)
      answering.signal.throwIfAborted()
      messages.push({
        role: 'tool',
        tool_call_id: call.id,
        content: JSON.stringify(result).slice(0, MAX_TOOL_RESULT),
      })
    }
  }
  if (answering.progress.text.trim() === '')
    throw new ModelFailure('malformed', 'the language model returned no text')
  return ending(endpoint, question, answering, records, spent)
}

function ending(
  { model }: ModelEndpoint,
  question: ChatMessage,
  answering: Answering,
  records: Cited,
  spent: Spent,
): Response {
  const citations = records.usedIn(answering.progress.text)
  answering.cite(citations)
  const about = citations.map(({ entity_type, entity_id, name }) => ({ entity_type, entity_id, name }))
  return {
    ...spent,
    metadata: {
      citations,
      conflicts: [],
      grounded: citations.length > 0,
      model,
      ...(about.length === 0
        ? {}
        : { memory: { question: question.content.slice(0, 2000), about, complete: false } }),
    },
  }
}

/** If the endpoint reports no tokens, they are estimated: about four characters each. */
function addTokens(
  spent: Spent,
  messages: readonly Message[],
  { content, toolCalls, tokens }: Completion,
): void {
  const used: Tokens = tokens ?? {
    prompt: Math.ceil(JSON.stringify(messages).length / 4),
    completion: Math.ceil((content.length + JSON.stringify(toolCalls).length) / 4),
  }
  spent.tokens = {
    prompt: (spent.tokens?.prompt ?? 0) + used.prompt,
    completion: (spent.tokens?.completion ?? 0) + used.completion,
  }
  if (!tokens) spent.estimated = true
}
