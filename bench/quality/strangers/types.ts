/** What a set is made of. Records refer to each other, and questions to records, by keys of their own. */

interface Keyed {
  key: string
}

export interface Company extends Keyed {
  name: string
  domains: readonly string[]
  industry: string
  city: string
  country: string
  phone: string
  employee_count: number
  status?: string
  website?: string
  description?: string
  annual_revenue?: number
  connection_strength?: string
  categories?: readonly string[]
  twitter_handle?: string
  metadata?: Readonly<Record<string, string | number>>
  tags?: readonly string[]
}

export interface Contact extends Keyed {
  first_name: string
  last_name: string
  company: string | null
  job_title: string
  email: string
  phone: string | null
  owner: string
  city?: string
  country?: string
  birthday?: string
  language?: string
  lead_source?: string
  linkedin_url?: string
  email_opt_out?: boolean
  do_not_contact?: boolean
  tags?: readonly string[]
}

export type Stage = 'Lead' | 'Qualified' | 'Proposal' | 'Negotiation' | 'Won' | 'Lost'

export interface Deal extends Keyed {
  name: string
  company: string
  contact: string | null
  owner: string | null
  stage: Stage
  amount: number | null
  currency: string
  close: string | null
  probability?: number
  deal_type?: string
  lead_source?: string
  priority?: string
  next_step?: string
  lost_reason?: string
  description?: string
  metadata?: Readonly<Record<string, string>>
}

export interface Activity extends Keyed {
  type: 'call' | 'meeting' | 'email' | 'task'
  subject: string
  status: 'planned' | 'in_progress' | 'completed' | 'cancelled'
  /** of its start, or on which it is due */
  day: string | null
  who: string
  contacts: readonly string[]
  companies: readonly string[]
  deals: readonly string[]
  description?: string | null
  outcome?: string
  priority?: string
  location?: string
  direction?: string
  start_at?: string
  end_at?: string
  duration_minutes?: number
  due_at?: string
  due_date?: string | null
}

export interface Note extends Keyed {
  on: readonly [kind: string, key: string] | null
  content: string
  title?: string
}

export interface Page extends Keyed {
  title: string
  content_markdown: string
}

export interface Template extends Keyed {
  subject: string
  body_html: string
}

export interface Draft extends Template {
  to: string
}

export interface CustomField {
  entity_type: 'company' | 'deal'
  name: string
  key: string
  field_type: 'text' | 'number' | 'select'
  options?: readonly string[]
}

export interface World {
  account: string
  /** The first one signs up, invites the others and asks all questions, those about "my" tasks too. */
  users: readonly (Keyed & { name: string; email: string })[]
  fields: readonly CustomField[]
  tags: readonly string[]
  companies: readonly Company[]
  contacts: readonly Contact[]
  deals: readonly Deal[]
  activities: readonly Activity[]
  notes: readonly Note[]
  pages: readonly Page[]
  templates: readonly Template[]
  drafts: readonly Draft[]
}

/** All that is given must hold. */
export interface ExpectedAnswer {
  /** exactly these records */
  set?: readonly string[]
  /** this record first */
  one?: string
  count?: number
  /** figures in the answer */
  nums?: readonly number[]
  text?: readonly RegExp[]
  date?: string
  /** that there is none */
  zero?: true
}

/** `any`: a question that can be read in several ways is answered rightly by one of them. */
export type Expected = ExpectedAnswer | { any: readonly ExpectedAnswer[] }

export type DataQuestion = readonly [question: string, expected: Expected]

export interface Questions {
  exact: readonly (readonly [query: string, key: string])[]
  paraphrase: readonly (readonly [query: string, keys: string | readonly string[]])[]
  data: readonly DataQuestion[]
  facts: readonly (readonly [question: string, patterns: readonly RegExp[]])[]
  unanswerable: readonly string[]
}
