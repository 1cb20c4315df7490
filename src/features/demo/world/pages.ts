/** The knowledge base and the email templates of Tidewater Instruments. */
export const FOLDERS: Readonly<Record<string, readonly [title: string, markdown: string][]>> = {
  Sales: [
    [
      'Price list and discounts',
      '# Price list and discounts\n\nPrices are in the product list. Discounts:\n\n| order value | discount |\n|---|---|\n| from 10,000 | 5% |\n| from 50,000 | 10% |\n| research and charities | 15% |\n\nAnything above needs the agreement of the head of sales. Commissioning days are never discounted.',
    ],
    [
      'How we qualify a lead',
      '# How we qualify a lead\n\nA lead is qualified when we know four things:\n\n1. **What they measure** and how often.\n2. **What it costs them** when a value is wrong or late.\n3. **Who decides**, and who can stop it.\n4. **By when** they want to measure.\n\nWithout the second there is no offer.',
    ],
    [
      'Answers to common objections',
      '# Answers to common objections\n\n**"Your probes cost more."** They last four years instead of one; the calibration visit is included in the comparison.\n\n**"Our data must stay in house."** The gateway can send to a server of the customer. Alarms then come from there.\n\n**"We measure by hand."** Ask what happened last time between two samples.',
    ],
  ],
  Service: [
    [
      'Calibration interval',
      '# Calibration interval\n\nOxygen and conductivity: every twelve months. pH and turbidity: every six months. In sea water all probes: every six months. A probe that was dry for more than a day is calibrated before it is used again.',
    ],
    [
      'Returns and repairs',
      '# Returns and repairs\n\nRepairs take ten working days. The customer gets a loan device when the site has an alarm duty. The warranty is 24 months, for membranes six months. Returned devices are cleaned before they are sent; devices from hazardous areas need a declaration.',
    ],
    [
      'Alarm on call',
      '# Alarm on call\n\nOur on-call team answers from 6 to 22 every day. Call 2 is the head of service. We never change alarm limits of a customer by phone: ask for a mail from somebody in the list of the site.',
    ],
  ],
  Company: [
    [
      'Delivery times',
      '# Delivery times\n\nProbes and gateways: two weeks. Nitrate analysers: eight weeks, because each is tested for ten days. In August the workshop is closed for two weeks.',
    ],
    [
      'Hosting and data protection',
      '# Hosting and data protection\n\nTidewater Cloud runs in two data centres in the EU. Data is stored for five years, or as long as the contract says. The data processing agreement is part of the standard contract; changes go to legal, which answers within five working days.',
    ],
  ],
}

const HELLO = '<p>Hello {{contact.first_name}},</p>'
const BYE = '<p>Kind regards<br>Tidewater Instruments</p>'

export const TEMPLATES: readonly { subject: string; body_html: string }[] = [
  {
    subject: 'Your question about water monitoring',
    body_html: `${HELLO}<p>thank you for your message. May I call you this week? Fifteen minutes are enough to see whether our probes fit.</p>${BYE}`,
  },
  {
    subject: 'Offer for {{company.name}}',
    body_html: `${HELLO}<p>here is our offer with three options. It is valid for 30 days. I would suggest the second one, because it includes the calibration.</p>${BYE}`,
  },
  {
    subject: 'Our offer: any questions?',
    body_html: `${HELLO}<p>you have had our offer for two weeks. What is missing for a decision? If the time is not right, a short word is enough.</p>${BYE}`,
  },
  {
    subject: 'Calibration visit at {{company.name}}',
    body_html: `${HELLO}<p>the next calibration is due. We need about three hours on site and somebody who opens the cabinets. Which day suits you?</p>${BYE}`,
  },
  {
    subject: 'Your system is running',
    body_html: `${HELLO}<p>since today your probes report every five minutes. The handbook and the certificates are in the cloud. Call us whenever a value looks odd.</p>${BYE}`,
  },
]
