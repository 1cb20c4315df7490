/** The input and the result of generating a draft. */
import { type Infer, nullable, object, optional, text, uuid } from '../../kernel/schema/index.ts'

export const draftRequest = object({
  instruction: text({ min: 1, max: 10_000 }),
  contact_id: optional(nullable(uuid())),
  deal_id: optional(nullable(uuid())),
  tone: optional(nullable(text({ max: 255, examples: ['friendly', 'formal'] }))),
})
export type DraftRequest = Infer<typeof draftRequest>

export interface GeneratedDraft {
  subject: string
  body_html: string
  template_id?: string
  metadata: Record<string, unknown>
}
