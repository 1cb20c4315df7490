/** What Tidewater Instruments sells, in the currency of the account. */
export const PRODUCTS = [
  [
    'Tide One oxygen probe',
    'TW-OX1',
    1450,
    'one_time',
    'Optical probe for dissolved oxygen, with a cable of ten metres.',
  ],
  [
    'Tide One pH probe',
    'TW-PH1',
    980,
    'one_time',
    'Glass-free pH probe; the membrane is changed in the field.',
  ],
  [
    'Tide One turbidity probe',
    'TW-TU1',
    1890,
    'one_time',
    'Infrared probe with a wiper, from 0 to 4,000 NTU.',
  ],
  ['Tide One conductivity probe', 'TW-CO1', 760, 'one_time', 'Four electrodes; also for sea water.'],
  ['Nitrate analyser', 'TW-NO3', 8900, 'one_time', 'UV analyser for nitrate without reagents.'],
  ['Field gateway', 'TW-GW2', 1250, 'one_time', 'Connects sixteen probes by radio; solar or mains power.'],
  ['Mounting kit', 'TW-MK', 180, 'one_time', 'Pole, clamp and cable glands in stainless steel.'],
  [
    'Tidewater Cloud, per site',
    'TW-CLOUD',
    49,
    'monthly',
    'Dashboards, alarms by SMS, reports for the authority.',
  ],
  ['Calibration service', 'TW-CAL', 1600, 'yearly', 'Two visits a year with a certificate for each probe.'],
  ['Commissioning day', 'TW-DAY', 1100, 'one_time', 'An engineer on site, travel included.'],
] as const
