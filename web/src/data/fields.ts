/** The fields of each kind of record, with the account's custom fields. */
import type { Schemas } from '@kith/client'
import { useMemo } from 'react'
import { humanize } from '#lib/format.ts'
import type { Field, FieldType, Option, Tone } from './field-types.ts'
import type { Kind } from './groups.ts'
import { useList } from './records.ts'

const options = (values: Readonly<Record<string, Tone | undefined>>): Option[] =>
  Object.entries(values).map(([value, tone]) => ({
    value,
    label: humanize(value),
    ...(tone ? { tone } : {}),
  }))

const STATUS = options({
  lead: 'neutral',
  qualified: 'accent',
  engaged: 'accent',
  opportunity: 'warn',
  customer: 'good',
  inactive: 'neutral',
})
const STRENGTH = options({ weak: 'neutral', medium: 'warn', strong: 'good' })

const times: Field[] = [
  { key: 'created_at', label: 'Created', type: 'datetime', isReadOnly: true, width: 130 },
  { key: 'updated_at', label: 'Updated', type: 'datetime', isReadOnly: true, width: 130 },
]

const place: Field[] = [
  { key: 'address', label: 'Address', type: 'text' },
  { key: 'postal_code', label: 'Postal code', type: 'text', width: 110 },
  { key: 'state', label: 'State', type: 'text', width: 120 },
]

const social: Field[] = [
  { key: 'linkedin_url', label: 'LinkedIn', type: 'url' },
  { key: 'twitter_url', label: 'X', type: 'url' },
  { key: 'facebook_url', label: 'Facebook', type: 'url' },
  { key: 'instagram_url', label: 'Instagram', type: 'url' },
]

const texts: Field[] = [
  { key: 'description', label: 'Description', type: 'long_text', width: 260, isSortable: false },
  { key: 'notes', label: 'Notes', type: 'long_text', width: 260, isSortable: false },
]

const categories: Field = { key: 'categories', label: 'Categories', type: 'categories', width: 160 }

export const FIELDS: Readonly<Record<Exclude<Kind, 'note'>, readonly Field[]>> = {
  contact: [
    { key: 'full_name', label: 'Name', type: 'text', isReadOnly: true, isDefault: true, width: 220 },
    { key: 'first_name', label: 'First name', type: 'text', width: 130 },
    { key: 'last_name', label: 'Last name', type: 'text', width: 130 },
    {
      ...{ key: 'company_id', label: 'Company', type: 'reference', kind: 'company', names: 'company_ids' },
      ...{ isDefault: true, width: 180 },
    },
    { key: 'job_title', label: 'Job title', type: 'text', isDefault: true, width: 180 },
    { key: 'email', label: 'Email', type: 'email', isDefault: true, width: 230 },
    { key: 'phone', label: 'Phone', type: 'phone', isDefault: true, width: 140 },
    { key: 'emails', label: 'Emails', type: 'emails', width: 260 },
    { key: 'phones', label: 'Phones', type: 'phones', width: 220 },
    { key: 'status', label: 'Status', type: 'select', options: STATUS, isDefault: true, width: 120 },
    { key: 'owner_id', label: 'Owner', type: 'user', isDefault: true, width: 150 },
    {
      ...{ key: 'last_interaction', label: 'Last interaction', type: 'datetime', isReadOnly: true },
      ...{ isDefault: true, width: 140 },
    },
    {
      ...{ key: 'next_interaction', label: 'Next interaction', type: 'datetime', isReadOnly: true },
      ...{ width: 140 },
    },
    { key: 'city', label: 'City', type: 'text', width: 130 },
    { key: 'country', label: 'Country', type: 'text', width: 130 },
    ...place,
    { key: 'department', label: 'Department', type: 'text', width: 140 },
    { key: 'connection_strength', label: 'Connection', type: 'select', options: STRENGTH, width: 120 },
    { key: 'lead_source', label: 'Lead source', type: 'text', width: 130 },
    categories,
    { key: 'company_ids', label: 'Companies', type: 'references', kind: 'company', width: 200 },
    {
      ...{ key: 'associated_deal_ids', label: 'Deals', type: 'references', kind: 'deal' },
      width: 180,
    },
    { key: 'birthday', label: 'Birthday', type: 'date', width: 120 },
    { key: 'website', label: 'Website', type: 'url', width: 180 },
    ...social,
    { key: 'timezone', label: 'Time zone', type: 'text', width: 130 },
    { key: 'language', label: 'Language', type: 'text', width: 110 },
    { key: 'do_not_contact', label: 'Do not contact', type: 'boolean', isRequired: true, width: 130 },
    { key: 'email_opt_out', label: 'No mailings', type: 'boolean', isRequired: true, width: 120 },
    ...texts,
    ...times,
  ],
  company: [
    { key: 'name', label: 'Name', type: 'text', isRequired: true, isDefault: true, width: 240 },
    { key: 'domains', label: 'Domains', type: 'list', isDefault: true, width: 180 },
    { key: 'industry', label: 'Industry', type: 'text', isDefault: true, width: 160 },
    { key: 'status', label: 'Status', type: 'select', options: STATUS, isDefault: true, width: 120 },
    { key: 'city', label: 'City', type: 'text', isDefault: true, width: 130 },
    { key: 'country', label: 'Country', type: 'text', isDefault: true, width: 130 },
    { key: 'owner_id', label: 'Owner', type: 'user', isDefault: true, width: 150 },
    { key: 'parent_id', label: 'Parent company', type: 'reference', kind: 'company', width: 180 },
    { key: 'employee_count', label: 'Employees', type: 'number', isDefault: true, width: 110 },
    { key: 'annual_revenue', label: 'Revenue', type: 'number', width: 130 },
    { key: 'connection_strength', label: 'Connection', type: 'select', options: STRENGTH, width: 120 },
    { key: 'team_ids', label: 'Team', type: 'references', kind: 'contact', isDefault: true, width: 200 },
    { key: 'associated_deal_ids', label: 'Deals', type: 'references', kind: 'deal', width: 200 },
    categories,
    { key: 'company_size', label: 'Size', type: 'text', width: 110 },
    { key: 'phone', label: 'Phone', type: 'phone', width: 140 },
    { key: 'email', label: 'Email', type: 'email', width: 200 },
    { key: 'website', label: 'Website', type: 'url', width: 180 },
    ...place,
    ...social,
    ...texts,
    ...times,
  ],
  deal: [
    { key: 'name', label: 'Name', type: 'text', isRequired: true, isDefault: true, width: 260 },
    { key: 'stage_id', label: 'Stage', type: 'stage', isRequired: true, isDefault: true, width: 140 },
    { key: 'amount', label: 'Amount', type: 'money', isDefault: true, width: 120 },
    {
      ...{ key: 'company_id', label: 'Company', type: 'reference', kind: 'company' },
      ...{ names: 'associated_company_ids', isDefault: true, width: 180 },
    },
    { key: 'owner_id', label: 'Owner', type: 'user', isDefault: true, width: 150 },
    { key: 'expected_close_date', label: 'Expected close', type: 'date', isDefault: true, width: 130 },
    {
      ...{ key: 'status', label: 'Status', type: 'select', isReadOnly: true, isDefault: true, width: 100 },
      options: options({ open: 'accent', won: 'good', lost: 'bad' }),
    },
    { key: 'probability', label: 'Probability', type: 'percent', width: 110 },
    { key: 'weighted_amount', label: 'Weighted', type: 'money', isReadOnly: true, width: 120 },
    { key: 'pipeline_id', label: 'Pipeline', type: 'pipeline', isReadOnly: true, width: 140 },
    {
      ...{ key: 'primary_contact_id', label: 'Contact', type: 'reference', kind: 'contact' },
      ...{ names: 'associated_contact_ids', width: 180 },
    },
    {
      ...{ key: 'associated_company_ids', label: 'Companies', type: 'references', kind: 'company' },
      width: 200,
    },
    {
      ...{ key: 'associated_contact_ids', label: 'Contacts', type: 'references', kind: 'contact' },
      width: 200,
    },
    {
      ...{ key: 'priority', label: 'Priority', type: 'select', width: 110 },
      options: options({ low: 'neutral', medium: 'warn', high: 'bad' }),
    },
    { key: 'next_step', label: 'Next step', type: 'text', width: 200 },
    { key: 'deal_type', label: 'Type', type: 'text', width: 120 },
    { key: 'lead_source', label: 'Lead source', type: 'text', width: 130 },
    { key: 'currency', label: 'Currency', type: 'currency', isRequired: true, width: 100 },
    { key: 'days_in_stage', label: 'Days in stage', type: 'number', isReadOnly: true, width: 120 },
    { key: 'is_rotten', label: 'Rotten', type: 'boolean', isReadOnly: true, width: 90 },
    { key: 'last_activity_at', label: 'Last activity', type: 'datetime', isReadOnly: true, width: 130 },
    { key: 'next_activity_at', label: 'Next activity', type: 'datetime', isReadOnly: true, width: 130 },
    { key: 'closed_at', label: 'Closed', type: 'datetime', isReadOnly: true, width: 130 },
    { key: 'lost_reason', label: 'Lost reason', type: 'text', width: 160 },
    categories,
    ...texts,
    ...times,
  ],
  activity: [
    { key: 'subject', label: 'Subject', type: 'text', isRequired: true, isDefault: true, width: 280 },
    {
      ...{ key: 'type', label: 'Type', type: 'select', isRequired: true, isDefault: true, width: 110 },
      options: options({ call: 'accent', meeting: 'warn', task: 'neutral', email: 'good', other: 'neutral' }),
    },
    {
      ...{ key: 'status', label: 'Status', type: 'select', isRequired: true, isDefault: true, width: 120 },
      options: options({
        planned: 'neutral',
        in_progress: 'accent',
        completed: 'good',
        cancelled: 'neutral',
      }),
    },
    // the service sorts and compares by it; it is read and written as `due_at` or `due_date`
    { key: 'falls_due_at', label: 'Due', type: 'due', isDefault: true, width: 140 },
    { key: 'start_at', label: 'Start', type: 'datetime', isDefault: true, width: 150 },
    { key: 'end_at', label: 'End', type: 'datetime', width: 150 },
    { key: 'assignee_id', label: 'Assignee', type: 'user', isDefault: true, width: 150 },
    {
      ...{ key: 'priority', label: 'Priority', type: 'select', width: 110 },
      options: options({ low: 'neutral', medium: 'neutral', high: 'warn', urgent: 'bad' }),
    },
    {
      ...{ key: 'contact_ids', label: 'Contacts', type: 'references', kind: 'contact' },
      ...{ isDefault: true, width: 180 },
    },
    {
      ...{ key: 'company_ids', label: 'Companies', type: 'references', kind: 'company' },
      ...{ isDefault: true, width: 180 },
    },
    { key: 'deal_ids', label: 'Deals', type: 'references', kind: 'deal', width: 200 },
    { key: 'duration_minutes', label: 'Minutes', type: 'number', width: 100 },
    {
      ...{ key: 'direction', label: 'Direction', type: 'select', width: 110 },
      options: options({ inbound: 'neutral', outbound: 'neutral' }),
    },
    { key: 'outcome', label: 'Outcome', type: 'text', width: 180 },
    { key: 'location', label: 'Location', type: 'text', width: 160 },
    { key: 'meeting_url', label: 'Meeting link', type: 'url', width: 160 },
    { key: 'is_overdue', label: 'Overdue', type: 'boolean', isReadOnly: true, width: 90 },
    { key: 'completed_at', label: 'Completed', type: 'datetime', isReadOnly: true, width: 130 },
    { key: 'description', label: 'Description', type: 'long_text', width: 260, isSortable: false },
    ...times,
  ],
  product: [
    { key: 'name', label: 'Name', type: 'text', isRequired: true, isDefault: true, width: 260 },
    { key: 'sku', label: 'SKU', type: 'text', isDefault: true, width: 130 },
    { key: 'unit_price', label: 'Unit price', type: 'money', isDefault: true, width: 120 },
    { key: 'currency', label: 'Currency', type: 'currency', isRequired: true, width: 100 },
    {
      ...{
        key: 'billing_period',
        label: 'Billing',
        type: 'select',
        isRequired: true,
        isDefault: true,
        width: 120,
      },
      options: options({ one_time: 'neutral', monthly: 'accent', quarterly: 'accent', yearly: 'accent' }),
    },
    { key: 'active', label: 'Active', type: 'boolean', isRequired: true, isDefault: true, width: 90 },
    { ...categories, isDefault: true },
    {
      key: 'description',
      label: 'Description',
      type: 'long_text',
      isDefault: true,
      width: 320,
      isSortable: false,
    },
    ...times,
  ],
}

const CUSTOM_TYPES: Readonly<Partial<Record<Schemas['CustomField']['field_type'], FieldType>>> = {
  currency: 'number',
  reference: 'text',
}

function fromCustom(custom: Schemas['CustomField']): Field {
  const choices = custom.options?.filter(option => !option.is_archived)
  return {
    key: `cf.${custom.key}`,
    label: custom.name,
    type: CUSTOM_TYPES[custom.field_type] ?? (custom.field_type as FieldType),
    width: 140,
    ...(choices ? { options: choices.map(({ value, label }) => ({ value, label: label ?? value })) } : {}),
    ...(custom.is_required ? { isRequired: true as const } : {}),
  }
}

/** The kinds with a table of fields. */
export type FieldKind = keyof typeof FIELDS

export const useCustomFields = (kind: FieldKind) =>
  useList('customFields', { entity_type: kind, page_size: 1000 })

/** All fields of a kind: its own, then the account's custom fields. */
export function useFields(kind: FieldKind): readonly Field[] {
  const { items } = useCustomFields(kind)
  return useMemo(
    () => [...FIELDS[kind], ...items.filter(({ is_archived }) => !is_archived).map(fromCustom)],
    [kind, items],
  )
}
