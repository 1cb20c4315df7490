/** The last part of a page's address follows its title, until people may know the address. */
interface Addressed {
  title: string
  slug: string
  visibility: string
}

const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Whether the service derived the slug from the title; it appends -2 where another page has it. */
const isDerived = ({ title, slug }: Addressed): boolean =>
  [slug, slug.replace(/-\d+$/, '')].some(text => lettersOf(text) === lettersOf(title))

/** The changes that rename a page; without a slug the service derives a new one. */
export const renamed = (page: Addressed, title: string): { title: string; slug?: null } =>
  page.visibility === 'private' && isDerived(page) ? { title, slug: null } : { title }
