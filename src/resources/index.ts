/** Every resource, one line each. */
import type { Resource } from '../kernel/resource.ts'
import { activities } from './activities/index.ts'
import { categories } from './categories/index.ts'
import { chatFolders } from './chats/folders.ts'
import { chats } from './chats/index.ts'
import { companies } from './companies/index.ts'
import { contacts } from './contacts/index.ts'
import { customFields } from './custom-fields/index.ts'
import { deals } from './deals/index.ts'
import { emailDrafts } from './email-drafts/index.ts'
import { emailTemplates } from './email-templates/index.ts'
import { favoriteFolders } from './favorites/folders.ts'
import { favorites } from './favorites/index.ts'
import { kb } from './kb/index.ts'
import { notes } from './notes/index.ts'
import { pipelines, stages } from './pipelines/index.ts'
import { products } from './products/index.ts'
import { tags } from './tags/index.ts'

export const resources: Resource[] = [
  companies,
  contacts,
  deals,
  pipelines,
  stages,
  products,
  activities,
  notes,
  emailTemplates,
  emailDrafts,
  chatFolders,
  chats,
  kb,
  favoriteFolders,
  favorites,
  customFields,
  categories,
  tags,
]
