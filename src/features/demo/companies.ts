/** 40 companies with five people each. */
import { companies } from '../../resources/companies/index.ts'
import { contacts } from '../../resources/contacts/index.ts'
import { type Building, createAll, dateOn, timeOn } from './build.ts'
import { COMPANIES, type DemoCompany, domainOf } from './world/companies.ts'
import { NAMES, OTHER_NAMES, PHONE_CODES, ROLES, SOURCES } from './world/people.ts'

export interface Person {
  id: string
  name: string
}

export interface Customer extends DemoCompany {
  id: string
  people: Person[]
}

/** Two years, in days: how far back the demo goes. */
export const PAST = 730

export async function createCustomers(building: Building): Promise<Customer[]> {
  const { tx, random } = building
  const created = COMPANIES.map(company => {
    const isCustomer = company.status === 'customer'
    const customerFor = random.int(PAST / 2, PAST)
    return {
      input: {
        name: company.name,
        domains: [domainOf(company)],
        website: `https://www.${domainOf(company)}`,
        email: `info@${domainOf(company)}`,
        phone: phoneIn(building, company.country),
        industry: company.industry,
        city: company.city,
        country: company.country,
        employee_count: company.employees,
        status: company.status,
        connection_strength: isCustomer ? 'strong' : random.pick(['weak', 'medium']),
        description: company.about,
        metadata: {
          tier: isCustomer ? (company.employees > 600 ? 'gold' : 'silver') : 'bronze',
          ...(isCustomer ? { customer_since: dateOn(building, -customerFor) } : {}),
        },
      },
      set: { created_at: timeOn(building, -customerFor, 9), updated_at: timeOn(building, -customerFor, 9) },
    }
  })
  const ids = await createAll(tx, companies, created)
  const people = COMPANIES.map(company => peopleOf(building, company))
  const personIds = await createAll(
    tx,
    contacts,
    people.flatMap((team, i) =>
      team.map(input => ({
        input: { ...input, company_id: ids[i] ?? null, owner_id: tx.user },
        set: created[i]?.set ?? {},
      })),
    ),
  )
  return COMPANIES.map((company, i) => ({
    ...company,
    id: ids[i] ?? '',
    people: (people[i] ?? []).map(({ first_name, last_name }, k) => ({
      id: personIds[i * ROLES.length + k] ?? '',
      name: `${first_name} ${last_name}`,
    })),
  }))
}

function peopleOf(building: Building, company: DemoCompany) {
  const { random } = building
  const names = NAMES[company.country] ?? OTHER_NAMES
  const used = new Set<string>()
  return ROLES.map(titles => {
    let first_name = random.pick(names.first)
    while (used.has(first_name)) first_name = random.pick(names.first)
    used.add(first_name)
    const last_name = random.pick(names.last)
    const [job_title, department] = random.pick<readonly [string, string]>(titles)
    const mailbox = `${first_name}.${last_name}`.normalize('NFKD').replace(/[^a-zA-Z.]/g, '')
    return {
      first_name,
      last_name,
      email: `${mailbox.toLowerCase()}@${domainOf(company)}`,
      phone: phoneIn(building, company.country),
      job_title,
      department,
      city: company.city,
      country: company.country,
      status: company.status,
      lead_source: random.pick(SOURCES),
      do_not_contact: false,
      email_opt_out: false,
      metadata: { channel: random.pick(['phone', 'email', 'visit']) },
    }
  })
}

/**
 * Numbers from ranges that are reserved for fiction where a country has one. Each is used once: two people with one
 * number would be possible duplicates.
 */
function phoneIn({ random, phones }: Building, country: string): string {
  const code = PHONE_CODES[country] ?? '+49 30 23125 '
  let number = random.int(100, 199)
  while (phones.has(`${code}${number}`)) number++
  phones.add(`${code}${number}`)
  return `${code}${number}`
}
