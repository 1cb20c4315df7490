import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { kith } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { nameOf } from '#data/names.ts'
import { useDebounced } from '#lib/use-debounced.ts'

interface SameAddressProps {
  /** as it is being typed */
  email: string
  onOpen: () => void
}

/** Says that a contact has this address already: two may share one, so it is no error. */
export function SameAddress({ email, onOpen }: SameAddressProps) {
  const address = useDebounced(email.trim(), 200)
  const query = { email: address, page_size: 1 }
  const { data } = useQuery({
    queryKey: keys.other('contacts', 'address', query),
    queryFn: ({ signal }) => kith.contacts.list(query, { signal }),
    enabled: /\S@\S+\.\S/.test(address),
  })
  const contact = data?.items[0]
  return (
    <span role="status">
      {contact && (
        <>
          {nameOf(contact)} has this address already.{' '}
          <Link
            to="/$group/$id"
            params={{ group: 'contacts', id: contact.id }}
            onClick={onOpen}
            className="font-medium text-accent-text hover:underline"
          >
            Open
          </Link>
        </>
      )}
    </span>
  )
}
