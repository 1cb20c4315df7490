// biome-ignore-all format: tables, one record a line
/** Notes, pages and mail of the third set. */
import type { Draft, Note, Page, Template } from './types.ts'

type NoteRow = readonly [key: string, about: string | null, content: string, title?: string]
const NOTES: readonly NoteRow[] = [
  ['n_dana', 'contact dana', "Spoke w/ Dana. Budget frozen til Q3. She'll fight for a pilot out of the innovation pot if we keep it under 15k."],
  ['n_corvane_money', 'company corvane', 'CFO signed off on zero new tools for this fiscal year. Try again when their grant lands in spring.'],
  ['n_redlines', 'deal d_hallett', "Redlines back from Hallett's GC: uncapped liability for data breaches, and English law instead of Delaware. Our counsel says the cap is the hill we die on; governing law we can give."],
  ['n_yarrow_msa', 'company yarrow', "Procurement sent their own MSA paper, 84 pages. Won't sign ours. Turnaround on their side is six weeks minimum."],
  ['n_tess_sec', 'company tessera', 'Security review: 212-row questionnaire. They want the SOC 2 Type II report plus a pen test summary from the last 12 months. Owner on their side is Graham Pell.'],
  ['n_north_sec', 'company northgate', 'Their infosec came back with two findings: no SSO on the starter tier and session timeout too long. Both fixed in the August release, retest booked.'],
  ['n_yarrow_uk', 'deal d_yarrowpilot', 'No customer record may leave the UK. Need to confirm the London region before they go further.'],
  ['n_outage', 'company brightwater', 'Angry call. Platform was down 47 minutes during their Monday dispatch window, 300 trucks stood still. They want a root-cause document and a service credit.'],
  ['n_amber_slow', 'company amberline', 'Slow dashboards on Thursday evening, nobody complained loudly. Support fixed it the same day.'],
  ['n_cobalt_churn', 'company cobaltfit', "Logins fell by two thirds since the new ops manager came in. Nobody has opened the reports module in a month. I'd call it red."],
  ['n_pine_happy', 'company pinegrove', 'Rolled out to all nine offices. Receptionists say they save an hour a day. Dr. Amsel happy to speak to prospects for us.'],
  ['n_teresa', 'company halcyon', "Teresa is leaving at the end of the month for another hotel chain. Her replacement isn't named. She was the only one who pushed for us upstairs."],
  ['n_pipewise', 'company vantor', 'Also talking to Pipewise. They like the mobile app over there but were put off by the per-seat minimums.'],
  ['n_excel', 'deal d_terralux', 'Bake-off against Salesloop and an in-house Excel monster. The head of trading is attached to her spreadsheet.'],
  ['n_offline', 'company ironbark', "Crews work underground with no signal. If it does not sync when they get back up top it's dead in the water for them."],
  ['n_customs', 'company okello', 'Label printers stuck at Mombasa customs, 3 weeks late. Go-live moves with them.'],
  ['n_arrears', 'company mistral', "They ask to be invoiced in euros, quarterly and in arrears. Finance OK'd."],
  ['n_navision', 'deal d_dunmore', 'They run an ancient Navision. Want a nightly sync of orders both ways. Ask Bea in solutions if the connector can cope.'],
  ['n_throttle', 'company kestrel', 'Devs love the API but hit the throttle at 100 calls per second. Asked for a higher ceiling or bulk endpoints.'],
  ['n_okta', 'company hexagate', 'They use Okta. SCIM provisioning is a must or IT will not allow rollout beyond the pilot group.'],
  ['n_filemaker', 'deal d_fenn', '14 years of alumni records in FileMaker, half of them duplicates. They are scared of losing donation history in the move.'],
  ['n_quillon', 'company quillon', 'Went quiet in June after the merger rumor. Office number disconnected. Park until there is news.'],
  ['n_tender', 'company merrowdale', 'Council must run everything over £50k through a public tender. G-Cloud could spare us that. Councillor Baxter is supportive.'],
  ['n_sideways', 'company zephyr', 'Demo went sideways: the projector died, Carlos had to leave after 20 minutes, and the pilots asked questions we could not answer. Redo it on Teams.'],
  ['n_brother', 'company solano', "Came to us through Pinegrove's practice manager, her brother runs it. Be nice."],
  ['n_print', 'company calloway', 'Dealership staff struggle. Half never finished the course, they print everything. Suggest an on-site workshop, two days, before the holidays.'],
  ['n_30pct', 'deal d_starling', "They say we're 30% above what they pay today. Would sign at $42 a seat for three years."],
  ['n_whosaw', 'deal d_grey', "Doesn't blink at price; they care about who saw what when."],
  ['n_36m', 'deal d_redshore', 'Would commit for 36 months if we lock the rate and give them an out after year one.'],
  ['n_english', 'company aurelia', 'Nobody in the Milan stores reads English well. Needs Italian screens and help texts.'],
  ['n_erase', 'company sanvito', "The DPO wants patients' data erased within 30 days of request, with written proof. Sent her our DPA."],
  ['n_61days', 'company paxton', 'Last two invoices unpaid, 61 days. Bookkeeper on maternity leave, nobody picked it up. Older one is INV-2209-17.'],
  ['n_french', 'contact aminata', 'Prefers French, WhatsApp over e-mail, and never before noon.'],
  ['n_showroom', 'company lindqvist', "Showroom moves in January. Don't push before the dust settles."],
  ['n_harvest', 'company sablecreek', "Harvest season, owner unreachable until it's in. Sends a case of pinot to people he likes."],
  ['n_nuts', 'contact yusuf', "Can't eat nuts, badly. Checked with the restaurant. Also doesn't drink."],
  ['n_helga', 'contact helga', 'Vegetarian, rides a motorbike to work. Wants everything on one page, no slides.'],
  ['n_leeds', 'contact tom', "Daughter just started at Leeds uni; he's a Leeds United season ticket holder. Good opener."],
  ['n_half', 'contact carlos', "Running the Lisbon half in March. Raising money for a children's ward."],
  ['n_back', 'contact meilin', 'Had back surgery, working from home until further notice, keep calls short.'],
  ['n_drought', 'company wexcombe', "Cancelled after the drought. No hard feelings, they'd come back if the harvest recovers."],
  ['n_iphone', 'company plumtree', "Left us because the parents' portal never worked on iPhones. Went to Famly."],
  ['n_trustees', 'company beaufort', 'Can only buy with grant money. The trustees decide, they sit twice a year (April, October).'],
  ['n_army', 'company rookwood', 'Founder knows our CEO from the Army. Warm intro made over dinner.'],
  ['n_hire', 'company juniper', 'They are recruiting a practice operations lead; once on board that person will own the tool choice.'],
  ['n_baa', 'company oldbridge', 'Need a signed BAA before they send even a sample file.'],
  ['n_jakarta', 'company tamarind', 'Opening four new outlets in Jakarta next year, wants pricing that grows with them.'],
  ['n_pilot', 'deal d_yarrowpilot', '25 relationship managers in the Leeds branch, eight weeks. Success = 80% weekly use.'],
  ['n_pen', 'company tessera', 'Real decision maker is not Dana but Victor Osei, he holds the pen for anything above 100k.'],
  ['n_bookings', 'company halcyon', 'They reckon we got them 11% more direct bookings since spring. Would make a lovely case study.'],
  ['n_barcode', 'company cobaltfit', 'Keep asking for barcode check-in. Product said no for this year.'],
  ['n_autorenew', 'company amberline', "Contract auto-renews unless they give 90 days' notice. The new procurement head dislikes auto-renewals."],
  ['n_buckeye', 'company northgate', 'Rumor: they are being absorbed by Buckeye Federal. If so, our contract may be consolidated or killed.'],
  ['n_po', 'company calloway', 'Accounts payable only accepts invoices quoting PO-77431-C. Anything else bounces.'],
  ['n_antwerp', 'contact joost', 'Offered to introduce us to two freight forwarders in Antwerp.'],
  ['n_hamper', 'contact claire', 'Sent a hamper after the baby was born. She was touched.'],
  ['n_thursday', 'company terralux', 'Board meets on the last Thursday of each month; the paper must be in ten days ahead.'],
  ['n_boots', 'deal d_ironbark', 'Site visit needs safety boots, hi-vis and a 2 hour induction. Fly via Perth, arrive the evening before.'],
  ['n_mpesa', 'company okello', 'Want to collect from shopkeepers over M-Pesa; do we support mobile money?'],
  ['n_cfr', 'company corvane', 'Lab notebooks are validated systems; each change needs paperwork (21 CFR Part 11). Upgrades at most twice a year.'],
  ['n_senate', 'company fennimore', 'Faculty senate voted 31-12 for the project. Dean Whitlock signed the memo.'],
  ['n_trial', 'deal d_vantor', 'Extended the trial by two weeks; Jonas was on holiday.'],
  ['n_celebs', 'company zephyr', 'They fly celebrities; any screenshot must be anonymised. They want NDAs from everybody who logs in.'],
  ['n_95pct', 'company hexagate', 'Hit 95% of licences. 40 more developers joining in the new year.'],
  ['n_strike', 'company dunmore', 'Workers walked out on Tuesday; management has other worries right now.'],
  ['n_gifts', 'company greyfriars', 'Compliance forbids gifts above £25. Not even lunch.'],
  ['n_drivers', 'company starling', 'Drivers refuse an app that follows them after hours; their rep Lena Moritz must agree.'],
  ['n_tortona', 'company aurelia', 'Samples came back: wrong address. New warehouse is Via Tortona 31.'],
  ['n_krucza', 'company amberline', 'Parking at the Warsaw office: use the gate on ul. Krucza, ring 14, leave the plate number with Bogdan.'],
  ['n_pine_long', 'company pinegrove', `QBR with Dr. Amsel and Nadine.

Went well overall. Adoption is above ninety percent in eight of nine offices; the Gresham office lags because their lead hygienist was out for six weeks and nobody trained the temps.

No-shows are down from 14% to 9% since the reminder texts went live in the spring. Nadine computed that this is worth roughly $6,300 a month to them, and she is fine with us quoting that number without the name.

They asked for: a Spanish version of the reminder texts, a way to block the hour after lunch on Fridays, and a discount if they take on the two practices they are buying in Salem. The acquisition is confidential, do not mention it to anyone outside the account team.

Contract runs another fourteen months. No complaints about support.`, 'Pinegrove QBR summary'],
  ['n_tess_long', 'deal d_tessera', `Discovery, long session with Dana and two team leads.

Today a claim is touched by seven people and keyed into three systems. The mainframe is called HERMES and will not go away before 2029, so whatever we do has to read from it through the nightly flat files.

Pain, in her words: adjusters ring customers twice for the same question. Average handling time is 19 days, the regulator's benchmark is 12. She has promised the board to be at 14 by the end of next year and her bonus hangs on it.

Scope she has in mind: motor and home first (about 140 adjusters), then liability. Not the agents, they have their own world. Mobile is nice to have. Spanish is a must for the Florida team.

Who else matters: Graham for security, Victor for money, and an outside consultant called Petra Lindholm from Axiom Bay who writes the evaluation.`, 'Tessera discovery'],
  ['n_offsite', null, 'Team offsite: from now on each of us blocks Friday mornings for prospecting. No internal meetings then.', 'Offsite agreements'],
  ['n_handover', null, 'While Priya is on leave over Christmas, Marcus covers her German accounts and Ines the rest.', 'Holiday cover'],
]
export const notes: readonly Note[] = NOTES.map(([key, about, content, title]) => {
  const [kind, on] = about?.split(' ') ?? []
  return { key, on: kind && on ? [kind, on] : null, content, ...(title ? { title } : {}) }
})

const page = (key: string, title: string, content_markdown: string): Page => ({ key, title, content_markdown })
export const pages: readonly Page[] = [
  page('k_discount', 'Discount policy', `Reps may give up to 10% on annual contracts on their own. From 10% to 20% the sales lead approves. Anything above needs the CFO in writing. Never stack a volume discount with a multi-year one.`),
  page('k_credits', 'Service credits', `When monthly availability falls below 99.9% the customer gets 5% of the monthly fee back, below 99.5% it is 15%, below 99% it is 30%. They have to ask for it within 30 days of the incident. Credits are never paid out in cash.`),
  page('k_sec', 'Security FAQ', `We hold SOC 2 Type II and ISO 27001. Everything is encrypted at rest with AES-256 and in transit with TLS 1.3. Penetration tests are done twice a year by Northlane Labs. Summaries go out under NDA only.`),
  page('k_onb', 'Onboarding checklist: first 30 days', `Day 1: kickoff call, name the customer's admin. Day 3: import of the first records. Day 7: admin training. Day 14: first team live. Day 30: health check with the sponsor.`),
  page('k_pipewise', 'Battlecard: Pipewise', `Strong: mobile app, pretty dashboards. Weak: minimum of 50 seats, no on-premise option, support only in English. Landmine question: ask how they handle two companies that merge.`),
  page('k_salesloop', 'Battlecard: Salesloop', `Strong: sequences and dialer. Weak: reporting is an extra module, data is hosted in the US only. They discount heavily in the last week of a quarter.`),
  page('k_import', 'Importing data', `Files must be CSV in UTF-8, up to 100 MB. Run the dry run first. Rows that fail can be downloaded, mended and loaded again. An import can be rolled back within 30 days.`),
  page('k_sso', 'Setting up SSO', `Works with Okta, Entra ID and Google Workspace over SAML or OIDC. The customer's IT creates the app and sends us the metadata URL. Allow two working days. SCIM is part of the Enterprise tier.`),
  page('k_api', 'API limits', `The standard ceiling is 100 calls a second per key. Enterprise customers may have it raised to 500 on request. Use the bulk endpoints for anything above a thousand records.`),
  page('k_travel', 'Travel and expenses', `Economy for flights under six hours, premium economy above. Hotels up to $220 a night, $300 in London, New York and Zurich. Alcohol is not reimbursed. Hand in receipts within two weeks.`),
  page('k_log', 'How we log calls', `Log every conversation on the same day. Link the person, the company and the deal. First line: what changed. Last line: what happens next and when.`),
  page('k_support', 'Support hours', `The desk is staffed Monday to Friday from 7 to 19 CET. Severity one incidents are answered around the clock within 30 minutes. Phone support is for Enterprise only.`),
  page('k_sign', 'Contract signature', `Order forms under 50k are signed by the regional lead. Between 50k and 250k it is the CFO, Hannah Brookes. Above that the CEO as well. We use DocuSign; wet ink only where the law requires it.`),
  page('k_retention', 'Data retention', `After a contract ends we keep the account read-only for 60 days, then delete it including backups within another 35 days. On request the customer gets a certificate of destruction.`),
  page('k_referral', 'Referral programme', `A customer who brings another one receives 5% of the first year's fee as a credit, at most $10,000. Partners get 10%. Pay-out after the first invoice has been settled.`),
  page('k_regions', 'Hosting regions', `Frankfurt, Virginia, Sydney and, since last summer, London. A customer chooses once; moving later is a paid migration. Backups stay in the same region.`),
  page('k_price', 'Pricing tiers', `Starter $29, Team $49, Enterprise $79 per seat and month, billed yearly. Nonprofits and schools get 25% off. Minimum is five seats.`),
  page('k_demo', 'Demo script', `Open with their own website on screen. Show the morning view of one rep, then the manager's. Never show settings. Stop after 25 minutes and ask who else should see it.`),
  page('k_handover', 'Handover from sales to success', `Within three days after signature the rep writes the handover page: why they bought, who can hurt us, what was promised. A joint call with the customer follows in the same week.`),
  page('k_fair', 'Trade fair checklist', `Order power and wifi eight weeks ahead. Roll-ups, two screens, badge scanner, chargers, sweets. One person at the table at all times, nobody sits. Leads go into the CRM the same evening.`),
]

const template = (key: string, subject: string, body_html: string): Template => ({ key, subject, body_html })
export const templates: readonly Template[] = [
  template('m_welcome', 'Welcome aboard, {{contact.first_name}}!', '<p>Hi {{contact.first_name}},</p><p>so good to have you with us. Your onboarding guide will ring you tomorrow.</p>'),
  template('m_reconnect', 'It has been a while', '<p>Hello {{contact.first_name}},</p><p>we last spoke some months ago. Is this still on your list?</p>'),
  template('m_renew', 'Your renewal is coming up', '<p>Dear {{contact.first_name}},</p><p>your subscription ends soon. Here is what the next term would look like.</p>'),
  template('m_nodecision', 'Shall I close your file?', '<p>Hi {{contact.first_name}}, I have not heard back, so I assume the timing is wrong. One word is enough.</p>'),
]

const draft = (key: string, subject: string, body_html: string, to: string): Draft => ({ key, subject, body_html, to })
export const drafts: readonly Draft[] = [
  draft('e_joost', 'What happened on Monday', '<p>Dear Joost,</p><p>a certificate on our load balancer expired at 05:12. We have since added alarms 30 days ahead.</p>', 'joost'),
  draft('e_luc', 'Three-year option', '<p>Hi Luc,</p><p>attached the numbers with a break after twelve months.</p>', 'luc'),
  draft('e_amy', 'Two open invoices', '<p>Hi Amy,</p><p>could somebody have a look at these two? Congratulations to your bookkeeper, by the way.</p>', 'amy'),
  draft('e_owen', 'Liability wording, our counterproposal', '<p>Dear Owen,</p><p>twice the annual fees, confidentiality carved out.</p>', 'owen'),
]
