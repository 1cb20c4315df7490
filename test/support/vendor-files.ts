/**
 * Export files as HubSpot, Pipedrive and Salesforce write them: their column names, ids and formats of dates and
 * amounts, filled with the mess that real accounts have. The same seed gives the same files.
 */

export interface VendorFile {
  entity_type: 'company' | 'contact' | 'deal'
  text: string
}

type Row = (string | number)[]

const FIRST = ['Ann', 'José', 'Zoë', 'Jürgen', 'Mary-Jane', '李', 'Siobhán', 'Bob ', 'María José', 'Łukasz']
const LAST = ['Lee', "O'Brien", 'Groß', 'van der Berg', 'Müller, Jr.', 'Smith', 'García López', '王', 'Tamm']
const FIRMS = [
  'Acme, Inc.',
  'Fjord & Sons',
  'Bäcker GmbH',
  'Nimbus; Cloud',
  'L’Oréal',
  'HubSpot, Inc.',
  'ОАО Газ',
  'Q"uote',
]
const CITIES = ['München', 'São Paulo', 'New York', 'Kraków', '', 'Zürich']
const OWNERS = ['Jane Doe', 'john@vendor.example', 'Deactivated User', '']

/** A small generator of numbers (mulberry32). */
function random(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return {
    of: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T,
    upTo: (most: number) => Math.floor(next() * most),
    isRare: (share: number) => next() < share,
  }
}

const cell = (value: string | number): string => {
  const text = String(value)
  return /[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const csv = (header: string[], rows: Row[], end = '\r\n'): string =>
  [header, ...rows].map(row => row.map(cell).join(',')).join(end) + end

const two = (n: number) => String(n).padStart(2, '0')

function company(i: number, { of }: ReturnType<typeof random>) {
  return { name: `${of(FIRMS)} ${i % 7 === 0 ? '' : i}`.trim(), domain: `firm${i}.example`, city: of(CITIES) }
}

function person(i: number, { of, isRare }: ReturnType<typeof random>) {
  const email = isRare(0.01)
    ? 'not an address'
    : isRare(0.1)
      ? ''
      : isRare(0.03)
        ? 'info@shared.example'
        : `p${i}@mail.example`
  return {
    first: of(FIRST),
    last: of(LAST),
    email,
    phone: of(['+1 (555) 010-0199', '089/1234567', '', '+44 20 7946 0958 ext. 12']),
  }
}

function hubspot(count: number): VendorFile[] {
  const r = random(1)
  const day = () =>
    `${2019 + r.upTo(6)}-${two(1 + r.upTo(12))}-${two(1 + r.upTo(28))} ${two(r.upTo(24))}:${two(r.upTo(60))}`
  const ids = (from: number) => Array.from({ length: count }, (_, i) => String(from + i))
  const [companyIds, contactIds] = [ids(9_000_000_000), ids(151)]
  const firms = companyIds.map((_, i) => company(i, r))
  const people = contactIds.map((_, i) => person(i, r))
  const companies = csv(
    [
      'Record ID',
      'Company name',
      'Company owner',
      'Create Date',
      'Phone Number',
      'Last Activity Date',
      'City',
      'Country/Region',
      'Industry',
      'Company Domain Name',
      'Number of Employees',
      'Annual Revenue',
      'Lifecycle Stage',
    ],
    firms.map((firm, i) => [
      companyIds[i]!,
      firm.name,
      r.of(OWNERS),
      day(),
      r.of(['', '+1 877-929-0687']),
      '',
      firm.city,
      r.of(['Germany', 'US', '']),
      r.of(['COMPUTER_SOFTWARE', '']),
      firm.domain,
      r.of(['', 10, 2500, '10000']),
      r.of(['', '2170000000', '1.5', '1000000.00']),
      r.of(['Lead', 'Customer', '']),
    ]),
    '\n',
  )
  const contacts = csv(
    [
      'Record ID',
      'First Name',
      'Last Name',
      'Email',
      'Phone Number',
      'Mobile Phone Number',
      'Contact owner',
      'Lead Status',
      'Marketing contact status',
      'Create Date',
      'Associated Company',
      'Associated Company IDs',
      'City',
    ],
    people.map(({ first, last, email, phone }, i) => {
      const firm = r.isRare(0.2) ? undefined : r.upTo(count)
      return [
        contactIds[i]!,
        first,
        last,
        email,
        phone,
        r.of(['', '+49 171 5551234']),
        r.of(OWNERS),
        r.of(['NEW', 'OPEN', '']),
        'Non-marketing contact',
        day(),
        firm === undefined ? '' : firms[firm]!.name,
        firm === undefined ? '' : companyIds[firm]!,
        r.of(CITIES),
      ]
    }),
    '\n',
  )
  const deals = csv(
    [
      'Record ID',
      'Deal Name',
      'Deal Stage',
      'Pipeline',
      'Close Date',
      'Deal owner',
      'Amount',
      'Currency',
      'Associated Company',
      'Associated Company IDs',
      'Associated Contact',
      'Associated Contact IDs',
      'Deal Type',
      'Create Date',
    ],
    Array.from({ length: count }, (_, i) => {
      const [firm, one, two] = [r.upTo(count), r.upTo(count), r.upTo(count)]
      const shown = [one, two].map(n => `${people[n]!.first} ${people[n]!.last} (${people[n]!.email})`)
      return [
        30_000 + i,
        `Deal ${i}, ${firms[firm]!.name}`,
        r.of(['Appointment Scheduled', 'Qualified To Buy', 'Contract Sent', 'Closed Won', 'Closed Lost']),
        r.of(['Sales Pipeline', 'Partner Pipeline']),
        r.isRare(0.1) ? '' : day(),
        r.of(OWNERS),
        r.isRare(0.01) ? 'tbd' : r.of(['', 1200, '12500.50', 0]),
        r.of(['EUR', 'USD']),
        firms[firm]!.name,
        companyIds[firm]!,
        shown.join(';'),
        `${contactIds[one]};${contactIds[two]}`,
        r.of(['newbusiness', '']),
        day(),
      ]
    }),
    '\n',
  )
  return files(companies, contacts, deals)
}

function pipedrive(count: number): VendorFile[] {
  const r = random(2)
  const day = () =>
    `${2019 + r.upTo(6)}-${two(1 + r.upTo(12))}-${two(1 + r.upTo(28))} ${two(r.upTo(24))}:${two(r.upTo(60))}:00`
  const firms = Array.from({ length: count }, (_, i) => company(i, r))
  const people = Array.from({ length: count }, (_, i) => person(i, r))
  const companies = csv(
    [
      'Organization - ID',
      'Organization - Name',
      'Organization - Label',
      'Organization - Address',
      'Organization - Owner',
      'Organization - Organization created',
      'Organization - People',
    ],
    firms.map((firm, i) => [
      i + 1,
      firm.name,
      r.of(['', 'Customer', 'Hot lead', 'Customer, Hot lead']),
      firm.city === '' ? '' : `1 Main St, ${firm.city}`,
      r.of(OWNERS),
      day(),
      r.upTo(9),
    ]),
  )
  const contacts = csv(
    [
      'Person - ID',
      'Person - Name',
      'Person - First name',
      'Person - Last name',
      'Person - Organization',
      'Person - Organization ID',
      'Person - Label',
      'Person - Email - Work',
      'Person - Email - Home',
      'Person - Phone - Work',
      'Person - Phone - Mobile',
      'Person - Owner',
      'Person - Person created',
    ],
    people.map(({ first, last, email, phone }, i) => {
      const firm = r.upTo(count)
      return [
        i + 1,
        `${first} ${last}`,
        first,
        last,
        firms[firm]!.name,
        firm + 1,
        r.of(['', 'Cold lead']),
        email === '' ? '' : `${email}, second${i}@mail.example`,
        r.of(['', `home${i}@mail.example`]),
        phone,
        r.of(['', '+372 5555 0100']),
        r.of(OWNERS),
        day(),
      ]
    }),
  )
  const deals = csv(
    [
      'Deal - ID',
      'Deal - Title',
      'Deal - Organization',
      'Deal - Organization ID',
      'Deal - Contact person',
      'Deal - Contact person ID',
      'Deal - Value',
      'Deal - Currency of Value',
      'Deal - Pipeline',
      'Deal - Stage',
      'Deal - Probability',
      'Deal - Status',
      'Deal - Expected close date',
      'Deal - Won time',
      'Deal - Lost time',
      'Deal - Lost reason',
      'Deal - Owner',
      'Deal - Deal created',
    ],
    Array.from({ length: count }, (_, i) => {
      const [firm, one] = [r.upTo(count), r.upTo(count)]
      const status = r.of(['Open', 'Won', 'Lost'])
      return [
        i + 1,
        `${firms[firm]!.name} deal`,
        firms[firm]!.name,
        firm + 1,
        `${people[one]!.first} ${people[one]!.last}`,
        one + 1,
        r.isRare(0.01) ? '5%' : r.of([0, 1500, '999.99', '']),
        r.of(['EUR', 'USD']),
        r.of(['Pipeline', 'Renewals']),
        r.of(['Qualified', 'Contact Made', 'Demo Scheduled', 'Negotiations Started']),
        r.of(['', 20, 80]),
        status,
        r.of(['', '2027-03-31']),
        status === 'Won' ? day() : '',
        status === 'Lost' ? day() : '',
        status === 'Lost' ? 'Too expensive' : '',
        r.of(OWNERS),
        day(),
      ]
    }),
  )
  return files(companies, contacts, deals)
}

function salesforce(count: number): VendorFile[] {
  const r = random(3)
  const day = () => `${1 + r.upTo(12)}/${1 + r.upTo(28)}/${2019 + r.upTo(6)}`
  const id = (prefix: string, i: number) => `${prefix}5f00000${String(i).padStart(5, '0')}AAA`
  const firms = Array.from({ length: count }, (_, i) => company(i, r))
  const companies = csv(
    [
      'Account ID',
      'Account Name',
      'Account Owner',
      'Type',
      'Website',
      'Phone',
      'Industry',
      'Employees',
      'Annual Revenue',
      'Billing Street',
      'Billing City',
      'Billing Country',
      'Description',
      'Created Date',
    ],
    firms.map((firm, i) => [
      id('001', i),
      firm.name,
      r.of(OWNERS),
      r.of(['Customer - Direct', '']),
      r.of(['', `www.${firm.domain}`]),
      r.of(['', '(415) 901-7000']),
      r.of(['Energy', '']),
      r.of(['', '145,000', 39]),
      r.of(['', 'USD 5,600,000,000', '30,000,000']),
      r.of(['', '1301 Hoch Drive\nSuite 3']),
      firm.city,
      r.of(['USA', '']),
      r.of(['', 'Says "hello",\nthen leaves']),
      day(),
    ]),
  )
  const contacts = csv(
    [
      'Contact ID',
      'Salutation',
      'First Name',
      'Last Name',
      'Title',
      'Account ID',
      'Account Name',
      'Mailing City',
      'Phone',
      'Mobile',
      'Fax',
      'Email',
      'Contact Owner',
      'Lead Source',
      'Birthdate',
      'Email Opt Out',
      'Created Date',
    ],
    Array.from({ length: count }, (_, i) => {
      const { first, last, email, phone } = person(i, r)
      const firm = r.upTo(count)
      return [
        id('003', i),
        r.of(['Ms.', '']),
        first,
        last,
        r.of(['CFO', '']),
        id('001', firm),
        firms[firm]!.name,
        r.of(CITIES),
        phone,
        r.of(['', '(650) 867-3450']),
        '',
        email,
        r.of(OWNERS),
        r.of(['Web', '']),
        r.of(['', '12/24/1970']),
        r.of([0, 1]),
        day(),
      ]
    }),
  )
  const deals = csv(
    [
      'Opportunity ID',
      'Opportunity Name',
      'Account ID',
      'Account Name',
      'Type',
      'Stage',
      'Close Date',
      'Amount',
      'Probability (%)',
      'Lead Source',
      'Next Step',
      'Opportunity Owner',
      'Fiscal Period',
      'Created Date',
    ],
    Array.from({ length: count }, (_, i) => {
      const firm = r.upTo(count)
      return [
        id('006', i),
        `${firms[firm]!.name} - ${r.of(['Generator', 'Refinery, phase 2'])}`,
        id('001', firm),
        firms[firm]!.name,
        r.of(['New Customer', '']),
        r.of(['Prospecting', 'Value Proposition', 'Id. Decision Makers', 'Closed Won', 'Closed Lost']),
        day(),
        r.isRare(0.01) ? 'ca. 500' : r.of(['USD 12,500.00', '350,000.00', '']),
        r.of([10, '90%', '']),
        r.of(['Web', '']),
        '',
        r.of(OWNERS),
        'Q1-2025',
        day(),
      ]
    }),
  )
  return files(companies, contacts, deals)
}

const files = (companies: string, contacts: string, deals: string): VendorFile[] => [
  { entity_type: 'company', text: companies },
  { entity_type: 'contact', text: contacts },
  { entity_type: 'deal', text: deals },
]

/** Companies, contacts and deals, in the order in which they are imported. */
export const VENDORS: Record<string, (count: number) => VendorFile[]> = { hubspot, pipedrive, salesforce }
