/** What each group of endpoints is for. */
import type { Endpoint } from '../../kernel/resource.ts'

const DESCRIPTIONS: Record<string, string> = {
  Accounts: 'Accounts (the tenants), their members and invitations.',
  Activities: 'Calls, meetings, tasks and emails, planned or done.',
  'API keys': 'Keys for programs, with scopes, expiry and rotation.',
  Categories: 'The names that records carry in `categories`.',
  'Chat attachments': 'Files that the assistant reads in a chat.',
  'Chat folders': 'Folders for chats.',
  'Chat messages': 'Messages of a chat and the answers of the assistant.',
  'Chat proposals': 'Changes that the assistant proposes and a person accepts or rejects.',
  'Chat shares': 'Links that let others read a chat.',
  Chats: 'Conversations with the assistant.',
  Companies: 'Companies, their teams and logos.',
  Contacts: 'People.',
  'Custom fields':
    'Declared fields of companies, contacts, deals and activities. Their values are stored in `metadata`.',
  Deals: 'Deals, the board and the forecast.',
  'Email drafts': 'Emails to be written, scheduled and sent.',
  'Email templates': 'Texts with variables, rendered for a contact, company or deal.',
  Events: 'What changed in the account, in order: as a list and as a stream.',
  Exports: 'Records as CSV or JSON files, or the whole account as an archive.',
  Favorites: 'Records that a user bookmarked.',
  'Favorites folders': 'Folders for favorites.',
  Files: 'Files on companies, contacts, deals and other records.',
  Imports: 'CSV, XLSX, JSON, vCard and iCalendar files read into records, with preview, dry run and revert.',
  'Inbound mail': 'Mails that become activities of the contacts they are from and to.',
  Jobs: 'Background work and its progress.',
  'Knowledge base': 'Folders and pages, private or public.',
  Notes: 'Texts about companies, contacts, deals and activities.',
  Operations: 'Changes of many records that can be undone as one.',
  Pipelines: 'Sequences of stages that deals move through.',
  Products: 'What the account sells, with prices.',
  'Public pages': 'Pages for people, without credentials.',
  Query: 'Lists, counts, sums and groups over all kinds of records.',
  Search: 'Search by words and by meaning, and questions answered from the records.',
  'Sign-in': 'Registration, sign-in, tokens and the signed-in person.',
  Stages: 'The steps of a pipeline.',
  Tags: 'Labels on records.',
  Transcriptions: 'Audio recordings turned into text.',
  Views: 'Saved queries with a name and columns, private or shared.',
  Webhooks: 'Addresses that events are posted to, and the log of deliveries.',
}

export function tagsOf(endpoints: readonly Endpoint[]): { name: string; description: string }[] {
  const names = [...new Set(endpoints.map(endpoint => endpoint.tag))]
  return names.map(name => {
    const description = DESCRIPTIONS[name]
    if (!description) throw new Error(`The tag ${name} has no description: add one to http/openapi/tags.ts.`)
    return { name, description }
  })
}
