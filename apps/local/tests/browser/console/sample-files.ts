/** A small handbook. The last file is broken. */
export const SAMPLE_FILES = [
  {
    name: 'leave.md',
    text: `# Leave

## Paid leave
Everyone has 30 days of paid leave a year. Leave that is left on 31 March of the next year is lost.

## Parental leave
Parents may take 18 weeks of fully paid parental leave within the first two years of the child. Inform your manager eight weeks before.
`,
  },
  {
    name: 'travel.md',
    text: `# Travel

## Trains and flights
Take the train for journeys of less than five hours. Flights are booked in economy class.

## Expenses
Send receipts within 60 days. Meals are refunded up to 45 euros a day.
`,
  },
  {
    name: 'security.html',
    text: `<!doctype html><title>Security</title><h1>Security</h1><h2>Laptops</h2>
<p>Disks are encrypted. A lost laptop is reported to security within one hour.</p>
<h2>Passwords</h2><p>Use the password manager. Passwords have at least sixteen characters.</p>`,
  },
  {
    name: 'suppliers.csv',
    text: 'supplier,city,contract until\nNorthwind Paper,Oslo,2027-06-30\nBluebird Catering,Leipzig,2026-12-31\n',
  },
  { name: 'broken.pdf', text: '%PDF-1.7\nthis file ends before it begins' },
] as const;
