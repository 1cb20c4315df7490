/** What questions ask about contacts and companies. */
import { sql } from 'kysely'
import { column, dates, type Field, named, owner, place, value } from './field.ts'

export const CONTACT: Field[] = [
  column('email', 'text', /e-?mail(?: address(?:es)?)?s?|mail address/),
  column(
    'phone',
    'text',
    /(?:tele)?phone(?: numbers?)?s?|numbers?|(?:mobile|cell)(?: phones?)?(?: numbers?)?/,
  ),
  column('job_title', 'text', /(?:job )?titles?|positions?|roles?|jobs?/, value),
  column('department', 'text', /departments?/, value),
  {
    key: 'company_id',
    label: 'company',
    said: /compan(?:y|ies)|employers?|organi[sz]ations?|works?/,
    type: 'text',
    value: ctx => named(ctx, 'companies', 'company_id'),
    groups: true,
  },
  owner,
  column('status', 'text', /status(?:es)?/, value),
  column('lead_source', 'text', /(?:lead )?sources?|channels?/, value),
  column('language', 'text', /languages?|speaks?/, value),
  column('timezone', 'text', /time ?zones?/, { groups: true }),
  column('connection_strength', 'text', /connection(?: strength)?|relationship/, { groups: true }),
  column('linkedin_url', 'text', /linkedin(?: profile)?/, { label: 'LinkedIn' }),
  column('birthday', 'day', /birthdays?|born|birth/),
  ...place,
  column(
    'last_interaction',
    'time',
    /last (?:interactions?|contact(?:ed)?|spoken|touch(?:ed)?|talked)|contacted|interactions?|heard|spoken|talked|touched|reached/,
    { label: 'last interaction' },
  ),
  column('next_interaction', 'time', /next (?:interactions?|contact|meeting|call)/, {
    label: 'next interaction',
  }),
  ...dates,
]

export const COMPANY: Field[] = [
  column('industry', 'text', /industr(?:y|ies)|sectors?|branch(?:es)?/, value),
  column(
    'employee_count',
    'number',
    /employees?(?: count)?|headcount|staff|people|workers|how (?:big|large)/,
    {
      label: 'employees',
    },
  ),
  column('annual_revenue', 'money', /(?:annual )?revenues?|turnover|sales/),
  column('company_size', 'text', /(?:company )?sizes?/, { groups: true }),
  column('status', 'text', /status(?:es)?/, value),
  column('connection_strength', 'text', /connection(?: strength)?|relationship/, { groups: true }),
  column('email', 'text', /e-?mail(?: address(?:es)?)?s?/),
  column('phone', 'text', /(?:tele)?phone(?: numbers?)?s?|numbers?/),
  column('website', 'text', /web ?sites?|web ?pages?|homepages?|urls?/),
  {
    key: 'domains',
    label: 'domains',
    said: /domains?/,
    type: 'text',
    value: () => sql`texts_of(r.domains)`,
  },
  ...place,
  ...dates,
]
