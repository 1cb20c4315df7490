/** Any service that speaks OpenAI's `POST /chat/completions`, with tools. */
export { type CompleteOptions, complete } from './complete.ts'
export { converse } from './converse.ts'
export {
  type Completion,
  type FailureKind,
  type Message,
  ModelFailure,
  type Tokens,
  type Tool,
  type ToolCall,
  useTool,
} from './messages.ts'
