/** What the records say. Notes: [company, text, question that shares no telling word with it, or none]. */

export const NOTES: [company: string, text: string, question?: string][] = [
  [
    'Northwind Logistics',
    'They want to push the rollout back until after summer because the budget for this fiscal year is frozen.',
    'Who asked to delay going live for lack of money?',
  ],
  [
    'Northwind Logistics',
    'Warehouse managers complained that the scanners lose their connection near the loading docks.',
    'Which client has trouble with wifi dropping on handheld devices?',
  ],
  [
    'Helios Energy',
    'The head of legal insists on a clause that all personal data stays on servers inside the European Union.',
    'Who has demands about where customer information is hosted geographically?',
  ],
  [
    'Helios Energy',
    'Solar panel production at the Seville plant doubled; they need twice as many seats by autumn.',
    'Who needs to buy additional licences because they are growing?',
  ],
  [
    'Brightwater Clinics',
    'Nurses find the screen too crowded and keep going back to paper forms.',
    'Where do users dislike the interface and avoid the software?',
  ],
  [
    'Brightwater Clinics',
    'The hospital board will only decide once the accreditation audit in spring is over.',
    'Whose purchase decision waits for an inspection?',
  ],
  [
    'Copperfield Bank',
    'Penetration test found two medium issues; their security team wants them fixed before signing.',
    'Which prospect wants vulnerabilities patched first?',
  ],
  [
    'Copperfield Bank',
    'The chief information officer plays golf with our chairman and asked for a private demonstration.',
    'Who has a personal relationship with our board?',
  ],
  [
    'Tulip Foods',
    'Their current supplier raised prices by a third, so they are actively shopping around.',
    'Who is looking for alternatives because of cost increases at a competitor?',
  ],
  [
    'Tulip Foods',
    'Refrigerated trucks report temperatures every five minutes and they would like to see alarms on their phones.',
    'Who wants mobile alerts for cold chain monitoring?',
  ],
  [
    'Granite Construction',
    'Foremen have no laptops on site; everything must work on a tablet without reception.',
    'Which customer requires offline support on mobile devices?',
  ],
  [
    'Granite Construction',
    'The crane accident in June put all new projects on hold until the investigators are finished.',
    'Where did an injury at work stop everything?',
  ],
  [
    'Lumen Publishing',
    'The editor in chief loved the trial and already told two other houses about us.',
    'Who is a happy user that recommends us to others?',
  ],
  [
    'Lumen Publishing',
    'Invoices must go to a shared mailbox in accounting, otherwise they are never paid in time.',
    'Why are payments from this client late?',
  ],
  [
    'Orchard Schools',
    'Teachers need a training session before term starts, preferably on a Wednesday afternoon.',
    'Who asked for onboarding lessons for staff?',
  ],
  [
    'Orchard Schools',
    'Parents were upset about the mailing that went out twice; the headmaster asked us to apologise.',
    'Where did a duplicated newsletter cause complaints?',
  ],
  [
    'Polar Shipping',
    'The vessel tracking feed stops whenever a ship is north of the Arctic circle.',
    'Who lacks satellite coverage in the far north?',
  ],
  [
    'Polar Shipping',
    'Their new managing director came from our biggest rival and may bring her old tools along.',
    'Where is there a risk that leadership switches to a competitor?',
  ],
  [
    'Quantum Devices',
    'Engineers asked whether they can call our interface from their own programs; documentation was enough for them.',
    'Who wants to integrate through the API?',
  ],
  [
    'Quantum Devices',
    'They were bought by a Japanese group last week; purchasing now goes through Osaka.',
    'Which customer got acquired?',
  ],
  [
    'Riverside Hotels',
    'Guests check in late at night and the front desk cannot reach our hotline after ten.',
    'Who needs support outside of business hours?',
  ],
  [
    'Riverside Hotels',
    'The owner wants one bill for all eleven houses instead of eleven separate ones.',
    'Who prefers consolidated invoicing?',
  ],
  [
    'Sable Fashion',
    'Returns went up forty percent since the new webshop; they suspect the size charts.',
    'Who has problems with goods being sent back?',
  ],
  [
    'Sable Fashion',
    'The creative director hates blue and asked for the dashboard in warm colours.',
    'Who wants a different look of the charts?',
  ],
  [
    'Titan Motors',
    'Dealers in Poland need everything in their own language, English is not accepted.',
    'Which account requires localisation?',
  ],
  [
    'Titan Motors',
    'The works council must approve any tool that measures how long employees take.',
    'Where do worker representatives have a say in the purchase?',
  ],
  [
    'Umbra Security',
    'Guards log patrols by hand; a missed round once cost them a lawsuit.',
    'Who was sued because of incomplete records?',
  ],
  [
    'Umbra Security',
    'They liked the price but said the contract term of three years is a deal breaker.',
    'Who objects to a long commitment?',
  ],
  [
    'Vega Pharma',
    'Every change has to be validated and signed twice, so upgrades may happen once a year at most.',
    'Which customer can only update rarely for regulatory reasons?',
  ],
  [
    'Vega Pharma',
    'Lab assistants spend Friday afternoons copying figures between spreadsheets.',
    'Who wastes time on manual data entry?',
  ],
  [
    'Willow Insurance',
    'Brokers forget their passwords constantly and would like to log in with their office accounts.',
    'Who is asking for single sign-on?',
  ],
  [
    'Willow Insurance',
    'The actuary proved that our forecast was off by nine percent in the flood season.',
    'Who questioned the accuracy of our predictions?',
  ],
  [
    'Xenon Studios',
    'The artists work at night and want the maintenance window moved to the morning.',
    'Who was disturbed by scheduled downtime?',
  ],
  [
    'Xenon Studios',
    'Their producer vanished without a reply for five weeks, then wrote that the film was cancelled.',
    'Which lead went silent?',
  ],
  [
    'Yarrow Farms',
    'Harvest begins in August, nobody will have time to talk to us before October.',
    'Who is too busy during the season to meet?',
  ],
  [
    'Yarrow Farms',
    'Sensors in the greenhouse are chewed by mice; they ask for metal casings.',
    'Where do animals damage the equipment?',
  ],
  [
    'Zephyr Airlines',
    'Pilots refuse to carry a second device in the cockpit.',
    'Who does not want extra hardware on board?',
  ],
  [
    'Zephyr Airlines',
    'After the strike they owe passengers millions and every purchase above ten thousand needs the chief executive.',
    'Where does the boss approve all spending after labour unrest?',
  ],
  [
    'Amber Telecom',
    'They compared us with two others; we won on support and lost on reporting.',
    'What are our strengths and weaknesses according to an evaluation?',
  ],
  [
    'Amber Telecom',
    'Call centre agents want keyboard shortcuts, each click costs them seconds.',
    'Who wants to work faster without a mouse?',
  ],
  [
    'Basil Restaurants',
    'Cooks cannot read the kitchen display from three metres away.',
    'Where is the text on the monitor too small?',
  ],
  [
    'Basil Restaurants',
    'The founder is retiring at Christmas and his daughter takes over; she prefers to lease rather than buy.',
    'Where is there a generation change in ownership?',
  ],
  [
    'Cobalt Mining',
    'Dust kills the fans of the computers underground within a month.',
    'Whose machines break down because of dirt?',
  ],
  [
    'Cobalt Mining',
    'The union asked for a guarantee that location data of miners is deleted after each shift.',
    'Who worries about tracking of staff and privacy?',
  ],
  [
    'Delta Consulting',
    'Partners want to see hours that were not billed, by client, every Monday.',
    'Who needs a weekly report on unbilled time?',
  ],
  [
    'Delta Consulting',
    'They will act as a reseller in Austria if we give them a margin of twenty percent.',
    'Which firm could become a distribution partner?',
  ],
  [
    'Ember Games',
    'Servers melt whenever a famous streamer goes live; they need us to absorb ten times the normal load.',
    'Who has spikes in traffic?',
  ],
  [
    'Ember Games',
    'Half of the team was laid off on Monday, our sponsor among them.',
    'Where did our champion lose their job?',
  ],
  [
    'Falcon Couriers',
    'Drivers deliver to the wrong door because house numbers are missing on the map.',
    'Who suffers from bad address data?',
  ],
  [
    'Falcon Couriers',
    'Asked for a discount of fifteen percent if they pay the whole year in advance.',
    'Who would prepay in exchange for a rebate?',
  ],
  [
    'Garnet Jewelry',
    'The shop was broken into and the recordings we stored helped the police.',
    'Where did our product help solve a burglary?',
  ],
  [
    'Garnet Jewelry',
    'Everything has to be engraved with a serial number before it leaves the vault.',
    'Who marks each item individually?',
  ],
  [
    'Harbor Law',
    'Attorneys may not upload anything before a conflict check has been done.',
    'Who needs an ethics clearance prior to sharing documents?',
  ],
  [
    'Harbor Law',
    'The senior partner reads everything on paper, please print the proposal.',
    'Who wants a hard copy of our offer?',
  ],
  [
    'Iris Optics',
    'Lens orders get stuck in customs for days at the Swiss border.',
    'Whose shipments are held up when crossing into another country?',
  ],
  [
    'Iris Optics',
    'They asked for our certificate on environmental management before the tender closes.',
    'Who needs proof of sustainability?',
  ],
  [
    'Jade Travel',
    'Since the flood, cancellations exceed bookings and the agency lives from its reserves.',
    'Which customer is in financial difficulty after a natural disaster?',
  ],
  [
    'Jade Travel',
    'Wants the chat window on the site to answer in Mandarin.',
    'Who asked for a Chinese speaking assistant?',
  ],
  // two that disagree
  ['Kestrel Robotics', 'The budget for the pilot is 40000 euros.'],
  ['Kestrel Robotics', 'The budget for the pilot is 65000 euros.'],
  ['Marble Kitchens', 'The kickoff workshop takes place on March 3 in Hamburg.'],
  ['Marble Kitchens', 'The kickoff workshop takes place on April 14 in Hamburg.'],
]

/** [title, content, question] */
export const PAGES: [title: string, content: string, question?: string][] = [
  [
    'Refunds',
    'Customers get their money back within fourteen days if they send the goods unused. Ask the finance team for the form.',
    'How long does someone have to change their mind after a purchase?',
  ],
  [
    'Holiday rules',
    'Everybody has twenty-eight days off per year. Requests go to your team lead at least three weeks before.',
    'How many vacation days do employees get?',
  ],
  [
    'Discount policy',
    'Sales people may grant up to ten percent on their own; anything beyond needs approval by the regional director.',
    'Who has to sign off larger price reductions?',
  ],
  [
    'Incident procedure',
    'When the service is down, open a bridge call, inform the customers on the status page every thirty minutes and write a review within two days.',
    'What do we do during an outage?',
  ],
  [
    'Travel expenses',
    'Keep the receipts. Trains are second class, flights economy, hotels up to 140 euros per night.',
    'What is the limit for accommodation on business trips?',
  ],
  [
    'Data retention',
    'Call recordings are deleted after ninety days, contracts are kept for ten years.',
    'When do we erase audio of conversations?',
  ],
  [
    'Onboarding checklist',
    'New colleagues get a laptop, a key card and a buddy on their first day.',
    'What does somebody who just joined receive?',
  ],
  [
    'Competitor Oakline',
    'Oakline is cheaper but charges for every interface and has no telephone support.',
    'What are the drawbacks of the rival with low prices?',
  ],
  [
    'Product limits',
    'An account can hold one million contacts; imports are limited to one hundred megabytes.',
    'What is the maximum size of an uploaded file?',
  ],
  [
    'Brand voice',
    'We write short sentences, avoid jargon and never promise dates that engineering has not confirmed.',
    'How should our texts sound?',
  ],
  [
    'Security training',
    'Each employee repeats the phishing course every twelve months.',
    'How often must staff learn about fraudulent emails?',
  ],
  [
    'Office Lisbon',
    'The door code is changed on the first of each month; visitors register at the reception.',
    'How do guests get into the Portuguese building?',
  ],
  [
    'Support levels',
    'Gold customers are answered within one hour, silver within eight, bronze on the next working day.',
    'What response time does the best plan have?',
  ],
  [
    'Payment terms',
    'Invoices are due after thirty days. After two reminders the case goes to a collection agency.',
    'What happens when a customer does not pay?',
  ],
  [
    'Hiring',
    'Candidates meet three people and solve a small exercise; we answer within five days.',
    'How does our recruitment work?',
  ],
  [
    'Remote work',
    'Up to three days a week from home are fine, except for the hardware lab.',
    'Can I do my job outside of the office?',
  ],
  [
    'Partner programme',
    'Resellers earn twenty percent in the first year and ten percent afterwards.',
    'What commission do intermediaries receive?',
  ],
  [
    'Backups',
    'Databases are copied every night to a second data centre and restored for a test once a quarter.',
    'How do we protect ourselves against losing information?',
  ],
  [
    'Trial accounts',
    'A trial lasts twenty-one days and can be prolonged once by customer success.',
    'For how many weeks can prospects try the product?',
  ],
  [
    'Accessibility',
    'All pages can be used with a screen reader and without a mouse.',
    'Is the software usable for blind people?',
  ],
]

/** What was written down of some of the activities; nobody asks for it, but it lies close to what is asked. */
export const ACTIVITIES: string[] = [
  'Talked about delivery times, the packaging and who signs for what. Nothing decided.',
  'She will send the list of branches by the end of the week.',
  'He asked for two references from the same trade and for the slides.',
  'Long talk about their old system; they keep seven spreadsheets beside it.',
  'Agreed on a workshop with the people from accounting.',
  'They are happy so far and would like a newer manual.',
]

/** [company, subject, text] */
export const DRAFTS: [company: string, subject: string, text: string][] = [
  [
    'Northwind Logistics',
    'Your questions',
    'Thank you for the good talk. Attached are the answers of our technicians.',
  ],
  [
    'Helios Energy',
    'Offer for the second site',
    'As agreed, here is the offer for the second site with both variants.',
  ],
  [
    'Tulip Foods',
    'Visit in spring',
    'We would love to see the plant in spring, would the second week suit you?',
  ],
  ['Polar Shipping', 'Next steps', 'To sum up: you check the list of ships, we prepare the contract.'],
  ['Vega Pharma', 'Documents for the audit', 'Please find the validation papers in the folder we share.'],
  [
    'Titan Motors',
    'Translation',
    'The Polish texts are being checked by a native speaker and arrive on Friday.',
  ],
  ['Harbor Law', 'Printed copy', 'The binder with our proposal is on its way to you by mail.'],
  ['Amber Telecom', 'Thank you', 'Thank you for choosing us, the team looks forward to the start.'],
  [
    'Jade Travel',
    'Languages on your site',
    'Our partner can add further languages to the window next month.',
  ],
  ['Ember Games', 'Load test', 'We ran the test with ten thousand players and send the charts along.'],
]
