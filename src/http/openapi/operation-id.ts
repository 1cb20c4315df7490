/** `listCompanies`, `updateCompanyTeam`: the names that generated clients give their functions. */
import type { Endpoint } from '../../kernel/resource.ts'

/** Names for operations whose generated name reads badly. */
const NAMES: Record<string, string> = {
  'GET /api/activities/calendar': 'getActivityCalendar',
  'POST /api/auth/accept-invitation': 'acceptInvitation',
  'POST /api/auth/read-invitation': 'readInvitation',
  'POST /api/auth/login': 'login',
  'POST /api/auth/logout': 'logout',
  'GET /api/auth/me': 'getMe',
  'PATCH /api/auth/me': 'patchMe',
  'PUT /api/auth/me': 'updateMe',
  'POST /api/auth/refresh': 'refreshToken',
  'POST /api/auth/register': 'register',
  'GET /api/auth/settings': 'getSignInSettings',
  'POST /api/chats/messages/{message_id}/feedback': 'setChatMessageFeedback',
  'GET /api/chats/usage': 'getChatUsage',
  'GET /api/chats/{chat_id}/attachments/{attachment_id}/download': 'downloadChatAttachment',
  'GET /api/chats/{chat_id}/export': 'exportChat',
  'GET /api/companies/{company_id}/fetch-logo-possibilities': 'fetchCompanyLogoPossibilities',
  'DELETE /api/companies/{company_id}/team/{person_id}': 'removeCompanyTeamMember',
  'PUT /api/companies/{company_id}/team/{person_id}': 'updateCompanyTeamMember',
  'POST /api/companies/not-duplicates': 'setNotDuplicateCompanies',
  'POST /api/contacts/not-duplicates': 'setNotDuplicateContacts',
  'GET /api/contacts/{contact_id}/vcard': 'downloadContactVcard',
  'GET /api/custom-fields/values/{entity_type}/{entity_id}': 'getCustomFieldValues',
  'PUT /api/custom-fields/values/{entity_type}/{entity_id}': 'updateCustomFieldValues',
  'PUT /api/deals/pipelines/{pipeline_id}/stages/reorder': 'reorderDealPipelineStages',
  'POST /api/email-templates/preview': 'previewEmailTemplate',
  'GET /api/exports/{export_id}/download': 'downloadExport',
  'POST /api/favorites/toggle': 'toggleFavorite',
  'GET /api/imports/{import_id}/errors.csv': 'downloadImportErrors',
  'GET /api/imports/{import_id}/preview': 'previewImport',
  'GET /api/kb/documents/{document_id}/export': 'exportKbDocument',
  'POST /api/kb/documents/import': 'importKbDocument',
  'GET /api/kb/tree': 'getKbTree',
  'POST /api/query': 'runQuery',
  'GET /api/search': 'searchWhileTyping',
  'POST /api/search/ask': 'ask',
  'POST /api/search/similar': 'findSimilarRecords',
  'DELETE /api/session': 'signOut',
  'POST /api/session': 'signIn',
  'POST /api/session/refresh': 'refreshSession',
  'POST /api/session/switch': 'switchAccount',
  'GET /api/sessions': 'listSessions',
  'DELETE /api/sessions/{session_id}': 'revokeSession',
  'GET /api/setup': 'getSetupState',
  'POST /api/setup': 'setUp',
  'GET /api/tags/records/{entity_type}/{entity_id}': 'getRecordTags',
  'PUT /api/tags/records/{entity_type}/{entity_id}': 'updateRecordTags',
  'POST /api/transcriptions/{transcription_id}/to-note': 'createTranscriptionNote',
  'GET /kb/{account_slug}': 'getPublicPageIndex',
  'GET /kb/{account_slug}/{page_slug}': 'getPublicPage',
  'GET /share/{token}': 'getSharePage',
}

/** Last path segments that are verbs, not nouns: `POST …/duplicate` → duplicateChat. */
const CREATING = ['duplicate', 'generate', 'regenerate']
const VERBS = { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }

export function operationId(endpoint: Endpoint): string {
  const { method, path, status = 200 } = endpoint
  const name = NAMES[`${method} ${path}`]
  if (name) return name
  const segments = path.replace(/^\/(api\/)?/, '').split('/')
  const last = segments.at(-1) ?? ''
  if (method !== 'POST') return (isList(endpoint) ? 'list' : VERBS[method]) + nouns(segments)
  const isCollection = segments.length === 1 && status !== 200
  const creates = isCollection || (status === 201 && !CREATING.includes(last))
  return creates ? `create${nouns([...segments, '{id}'])}` : actionName(last, segments.slice(0, -1))
}

/** `bulk-delete` of companies → bulkDeleteCompanies; `update-logo` of a company → updateCompanyLogo. */
function actionName(action: string, context: string[]): string {
  if (action.startsWith('bulk-')) return `bulk${pascal(action.slice(5))}${nouns(context)}`
  const [verb = '', ...object] = action.split('-')
  const isOne = ['upsert', 'generate'].includes(verb)
  return verb + nouns(isOne ? [...context, '{id}'] : context) + object.map(capital).join('')
}

/** Each noun in the singular, except a last one without an id after it. */
const nouns = (segments: readonly string[]): string =>
  segments
    .map((segment, i) => {
      if (segment.startsWith('{')) return ''
      return pascal(i === segments.length - 1 ? segment : singular(segment))
    })
    .join('')

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
const pascal = (text: string): string => text.split(/[-.]/).map(capital).join('')
const capital = (word: string): string => (word[0] ?? '').toUpperCase() + word.slice(1)

function isList({ method, response }: Endpoint): boolean {
  const isArray = response?.json.type === 'array' || response?.json.properties?.items?.type === 'array'
  return method === 'GET' && isArray
}
